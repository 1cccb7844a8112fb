import { HttpApiSchema } from "@effect/platform"
import { decodeBody } from "@switchboard/api/http/body/DecodeBody"
import { isStorableJson, parseJsonObject } from "@switchboard/api/http/body/JsonBody"
import { type ParameterSchemas, parameterReader } from "@switchboard/api/http/RequestParameters"
import { BatchRequest } from "@switchboard/api/messages/MessagesApi"
import { BadRequestError, type ValidationError } from "@switchboard/domain/Errors"
import { Effect, Either, Option, ParseResult, Predicate, Schema, SchemaAST } from "effect"

const options = { onExcessProperty: "preserve" } as const

const isAbsent = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isUndefinedKeyword(ast) || (SchemaAST.isLiteral(ast) && ast.literal === null)

/** The schema without filters, and without `null` and `undefined` if one other type remains. */
const innermost = (ast: SchemaAST.AST): SchemaAST.AST => {
  if (SchemaAST.isRefinement(ast)) return innermost(ast.from)
  if (SchemaAST.isSuspend(ast)) return innermost(ast.f())
  const [only, ...others] = SchemaAST.isUnion(ast) ? ast.types.filter((type) => !isAbsent(type)) : []
  return only !== undefined && others.length === 0 ? innermost(only) : ast
}

const encodeFields = ({ indexSignatures: [index], propertySignatures }: SchemaAST.TypeLiteral, value: object) =>
  Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const type = propertySignatures.find((signature) => signature.name === name)?.type ?? index?.type
      return [name, type === undefined ? field : encodeParts(type, field)]
    })
  )

/** Encodes a value. Unknown fields, and parts that can't be encoded, stay as they are. */
const encodeParts = (ast: SchemaAST.AST, value: unknown): unknown => {
  const encoded = ParseResult.encodeUnknownEither(Schema.make<unknown>(ast), options)(value)
  if (Either.isRight(encoded)) return encoded.right
  const type = innermost(ast)
  if (SchemaAST.isTypeLiteral(type) && Predicate.isRecord(value)) return encodeFields(type, value)
  const item = SchemaAST.isTupleType(type) ? type.rest[0]?.type : undefined
  return item !== undefined && Array.isArray(value) ? value.map((one) => encodeParts(item, one)) : value
}

/** The schemas of an endpoint. */
export interface EndpointSchemas extends ParameterSchemas {
  readonly payloadSchema: Option.Option<Schema.Schema.All>
}

/** The parts of a request. */
export interface RequestParts {
  readonly path?: unknown
  readonly urlParams?: unknown
  readonly headers?: unknown
  readonly payload?: unknown
}

type Checked<A> = Effect.Effect<A, BadRequestError | ValidationError>

/** JSON text, or 400 for a value that JSON does not have. */
const jsonText = (value: unknown): Either.Either<string, BadRequestError> =>
  Either.try({
    try: () => JSON.stringify(value) ?? "null",
    catch: (error) =>
      new BadRequestError({
        message: `The request can't be encoded as JSON: ${Predicate.isError(error) ? error.message : String(error)}`
      })
  })

/** A parameter as text: that of its JSON, without the quotes of a string. */
const parameterText = (value: unknown) =>
  Predicate.isString(value)
    ? Either.right(value)
    : Either.map(jsonText(value), (text) => (text.startsWith('"') ? String(JSON.parse(text)) : text))

/** The defined parameters of a part of the request as text. */
const parameterTexts = (schema: Option.Option<Schema.Schema.All>, part: unknown) => {
  const encoded = Option.match(schema, { onNone: () => ({}), onSome: ({ ast }) => encodeParts(ast, part ?? {}) })
  const defined = Object.entries(Predicate.isRecord(encoded) ? encoded : {}).filter(([, value]) => value !== undefined)
  return Either.map(
    Either.all(defined.map(([name, value]) => Either.map(parameterText(value), (text) => [name, text] as const))),
    (texts): Record<string, string> => Object.fromEntries(texts)
  )
}

/** Checks path, query and headers by the rules of the service. Returns them decoded. */
const parameterCheck = (endpoint: EndpointSchemas) => {
  const read = parameterReader(endpoint)
  return ({ headers, path, urlParams }: RequestParts) =>
    Either.all({
      path: parameterTexts(endpoint.pathSchema, path),
      query: parameterTexts(endpoint.urlParamsSchema, urlParams),
      headers: parameterTexts(endpoint.headersSchema, headers)
    }).pipe(
      Either.flatMap((texts) =>
        read({ url: `?${new URLSearchParams(texts.query)}`, headers: texts.headers }, texts.path)
      )
    )
}

/** Checks JSON by the rules of the service. Returns the value, decoded if it is (in parts) in its encoded form. */
const jsonCheck = (ast: SchemaAST.AST) => {
  const schema = Schema.make<unknown>(ast)
  const encode = ParseResult.encodeUnknownEither(schema, { onExcessProperty: "preserve" })
  const decode = decodeBody(schema)
  // The service validates each send of a batch separately, and reports its errors in the result. An unknown field would not
  // be sent.
  const isSentUnchecked = (payload: unknown) =>
    ast === BatchRequest.ast &&
    Either.isRight(ParseResult.encodeUnknownEither(schema, { onExcessProperty: "error" })(payload))

  return (payload: unknown): Checked<unknown> =>
    Effect.gen(function* () {
      if (isSentUnchecked(payload)) return payload
      const typed = encode(payload)
      const encoded = Either.getOrElse(typed, () => encodeParts(ast, payload))
      const json = yield* Either.flatMap(jsonText(encoded), (text) => parseJsonObject(new TextEncoder().encode(text)))
      // JSON has `null` for a number that is not finite, which `decode` reports.
      const decoded = yield* decode(isStorableJson(encoded) ? json : encoded)
      return Either.isRight(typed) ? payload : decoded
    })
}

const bodyForms = { Text: "text", Uint8Array: "a Uint8Array", UrlParams: "a record", Json: "JSON" }

/** Checks a body that is not JSON. */
const formCheck = (ast: SchemaAST.AST) => {
  const isForm = Schema.is(Schema.typeSchema(Schema.make<unknown>(ast)))
  const message = `The request body must be ${bodyForms[HttpApiSchema.getEncoding(ast).kind]}`
  return (payload: unknown): Checked<unknown> =>
    isForm(payload) ? Effect.succeed(payload) : new BadRequestError({ message })
}

/**
 * Checks a request by the rules of the service that do not depend on stored data. It fails with the error that the
 * service would respond with.
 */
export const requestCheck = (endpoint: EndpointSchemas) => {
  const checkParameters = parameterCheck(endpoint)
  const checkPayload = Option.map(endpoint.payloadSchema, ({ ast }) =>
    HttpApiSchema.getEncoding(ast).kind === "Json" ? jsonCheck(ast) : formCheck(ast)
  )
  return (parts: RequestParts): Checked<RequestParts> =>
    Effect.gen(function* () {
      const parameters = yield* checkParameters(parts)
      if (Option.isNone(checkPayload)) return parameters
      return { ...parameters, payload: yield* checkPayload.value(parts.payload ?? {}) }
    })
}
