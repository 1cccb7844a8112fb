import { BadRequestError } from "@switchboard/domain/Errors"
import { Either, Option, ParseResult, Schema, SchemaAST } from "effect"
import { isRead, type OperationRule, ruleOf } from "../OperationRules.js"
import { compiledDecoder } from "./body/DecodeBody.js"
import {
  addFieldError,
  describeIssue,
  type FieldErrors,
  isStorable,
  joinFieldErrors,
  noFieldErrors,
  unstorableText
} from "./body/FieldErrors.js"

/** Scheme and authority of a request target in absolute form (RFC 9112 section 3.2.2). */
const origin = /^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i

/** The path of a request target in origin form or absolute form. The authority is ignored. */
export const pathOf = (target: string): string => {
  const local = target.startsWith("/") ? target : target.replace(origin, "")
  const at = local.indexOf("?")
  return (at === -1 ? local : local.slice(0, at)) || "/"
}

/** The query parameters of a request target. */
export const queryOf = (target: string): URLSearchParams => {
  const at = target.indexOf("?")
  return new URLSearchParams(at === -1 ? "" : target.slice(at + 1))
}

/** The path of the console: the only one that ends with a slash. */
export const consolePath = "/console/"

/**
 * Whether the router can match a path. It would treat a semicolon as the start of the query, and match an empty segment
 * with a parameter.
 */
export const isWellFormedPath = (path: string): boolean => path === consolePath || !/[;#]|\/\/|.\/$/.test(path)

/** The parts of an endpoint with the rules of its parameters. */
export interface ParameterSchemas {
  readonly method: string
  readonly path: string
  readonly pathSchema: Option.Option<Schema.Schema.All>
  readonly urlParamsSchema: Option.Option<Schema.Schema.All>
  readonly headersSchema: Option.Option<Schema.Schema.All>
}

/** The decoded parameters of a request. A part that the operation does not declare is undefined. */
export interface RequestParameters {
  readonly path: unknown
  readonly urlParams: unknown
  readonly headers: unknown
}

/** A part of a request before it is decoded: its path parameters, its query or its headers. */
type Part = Readonly<Record<string, unknown>>

/** The parts of a request that are read: the query of its target, and its headers. */
interface ReceivedRequest {
  readonly url: string
  readonly headers: Part
}

/** The maximum number of errors in one message: a query can have thousands of unknown names. */
const maxProblems = 20

/** The maximum number of characters of an unknown parameter's name in a message. */
const maxShownLength = 100

/** The 400 of invalid parameters, which names each of them. */
const invalidParameters = (problems: FieldErrors) => {
  const all = Object.entries(problems).flatMap(([name, sentences]) =>
    sentences.map((sentence) => `the parameter ${name} ${sentence}`)
  )
  const rest = all.length - maxProblems
  const text = [...all.slice(0, maxProblems), ...(rest > 0 ? [`and ${rest} more`] : [])].join("; ")
  return new BadRequestError({ message: `T${text.slice(1)}` })
}

/** The members of a part that its schema declares. The others are not decoded. */
const declared = (part: Part, names: ReadonlyArray<string>): Part =>
  Object.fromEntries(names.flatMap((name) => (Object.hasOwn(part, name) ? [[name, part[name]]] : [])))

const decoderOf = (
  schema: Option.Option<Schema.Schema.All>
): ((part: Part) => Either.Either<unknown, ParseResult.ParseIssue>) =>
  Option.match(schema, {
    onNone: () => () => Either.right(undefined),
    onSome: ({ ast }) => {
      const names = SchemaAST.getPropertySignatures(SchemaAST.encodedAST(ast)).map(({ name }) => String(name))
      const read = compiledDecoder(Schema.make<unknown>(ast))
      const decode = ParseResult.decodeUnknownEither(Schema.make<unknown>(ast), { errors: "all" })
      return (part) => {
        const decoded = read(declared(part, names))
        return Option.isSome(decoded) ? Either.right(decoded.value) : decode(part)
      }
    }
  })

const issuesOf = (decoded: Either.Either<unknown, ParseResult.ParseIssue>): FieldErrors =>
  Either.match(decoded, { onLeft: describeIssue, onRight: noFieldErrors })

/**
 * The errors of the names in a query, and of values that cannot be stored. Unknown names are rejected for read-only
 * operations with a credential, so that a misspelled name is an error: other operations take their input from the body,
 * and mail clients add to public links.
 */
const queryProblems = (query: URLSearchParams, { credentials, parameters }: OperationRule, isReadOnly: boolean) => {
  const problems = noFieldErrors()
  for (const name of new Set(query.keys())) {
    if (parameters.has(name)) {
      const [value = "", ...more] = query.getAll(name)
      if (more.length > 0) addFieldError(problems, [name], "must not be repeated")
      else if (!isStorable(value)) addFieldError(problems, [name], unstorableText)
    } else if (isReadOnly && credentials.length > 0) {
      addFieldError(problems, [name.slice(0, maxShownLength)], "is not a known parameter")
    }
  }
  return problems
}

/** Decodes path, query and headers of an operation. Fails with one 400 that names every invalid parameter. */
export const parameterReader = (endpoint: ParameterSchemas) => {
  const rule = ruleOf(endpoint)
  const isReadOnly = isRead(endpoint)
  const decodePath = decoderOf(endpoint.pathSchema)
  const decodeQuery = decoderOf(endpoint.urlParamsSchema)
  const decodeHeaders = decoderOf(endpoint.headersSchema)

  return (
    { headers: received, url }: ReceivedRequest,
    params: Readonly<Record<string, string | undefined>>
  ): Either.Either<RequestParameters, BadRequestError> => {
    const query = queryOf(url)
    const unread = rule === undefined ? noFieldErrors() : queryProblems(query, rule, isReadOnly)
    const path = decodePath(params)
    const urlParams = decodeQuery(Object.fromEntries(query))
    const headers = decodeHeaders(received)
    if (
      Either.isRight(path) &&
      Either.isRight(urlParams) &&
      Either.isRight(headers) &&
      Object.keys(unread).length === 0
    ) {
      return Either.right({ path: path.right, urlParams: urlParams.right, headers: headers.right })
    }
    // The value of a repeated or unstorable parameter is not judged.
    const queryIssues = Object.entries(issuesOf(urlParams)).filter(
      ([path]) => !Object.hasOwn(unread, path.split(".")[0] ?? path)
    )
    return Either.left(
      invalidParameters(
        [issuesOf(path), Object.fromEntries(queryIssues), unread, issuesOf(headers)].reduce(joinFieldErrors)
      )
    )
  }
}
