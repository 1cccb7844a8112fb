import { ValidationError } from "@switchboard/domain/Errors"
import { FileContent } from "@switchboard/domain/messages/Attachment"
import { Effect, Either, Option, ParseResult, Predicate, Schema, SchemaAST } from "effect"
import { describeIssue, joinFieldErrors } from "./FieldErrors.js"
import { isStorableJson, unstorableFields } from "./JsonBody.js"

/** Rejects unknown fields and reports all errors. */
export const strictOptions = { errors: "all", onExcessProperty: "error" } as const

/** The result of a step for a value that only the schema can decode. */
const declined = Symbol("declined")

type Step = (value: unknown) => unknown

/** Narrows the untyped result of a step to the type of the schema. */
const isDecoded = <A>(value: unknown): value is A => value !== declined

/** A step that returns a value unchanged if it passes a check. */
const accept =
  (is: (value: unknown) => boolean): Step =>
  (value) =>
    is(value) ? value : declined

/** A step that uses the schema itself, for schemas that are not compiled. */
const interpreted = (ast: SchemaAST.AST): Step => {
  const decode = ParseResult.decodeUnknownEither(Schema.make<unknown>(ast), strictOptions)
  return (value) => Either.getOrElse(decode(value), () => declined)
}

const literalOf = (ast: SchemaAST.AST) => (SchemaAST.isLiteral(ast) ? [ast.literal] : [])

/** Whether a schema decodes a scalar. A union of scalars takes its first matching member; a union of objects does not. */
const isScalar = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast)
    ? isScalar(ast.from)
    : SchemaAST.isStringKeyword(ast) ||
      SchemaAST.isLiteral(ast) ||
      SchemaAST.isBooleanKeyword(ast) ||
      SchemaAST.isNumberKeyword(ast)

/** The literal of a field that an object requires, below its filters. */
const requiredLiteral = (ast: SchemaAST.AST, name: PropertyKey): SchemaAST.LiteralValue | undefined => {
  if (SchemaAST.isRefinement(ast)) return requiredLiteral(ast.from, name)
  if (!SchemaAST.isTypeLiteral(ast)) return undefined
  const type = ast.propertySignatures.find((field) => field.name === name && !field.isOptional)?.type
  return type !== undefined && SchemaAST.isLiteral(type) ? type.literal : undefined
}

/** The fields of an object, below its filters. */
const fieldNames = (ast: SchemaAST.AST | undefined): ReadonlyArray<PropertyKey> =>
  ast === undefined
    ? []
    : SchemaAST.isRefinement(ast)
      ? fieldNames(ast.from)
      : SchemaAST.isTypeLiteral(ast)
        ? ast.propertySignatures.map(({ name }) => name)
        : []

/** A union of objects that differ in the literal of one field, which selects the member. */
const discriminated = (ast: SchemaAST.Union): Step => {
  const field = fieldNames(ast.types[0]).find(
    (name) => new Set(ast.types.flatMap((type) => requiredLiteral(type, name) ?? [])).size === ast.types.length
  )
  if (typeof field !== "string") return interpreted(ast)
  const members = new Map<unknown, Step>(ast.types.map((type) => [requiredLiteral(type, field), compile(type)]))
  return (value) =>
    Predicate.isRecord(value) && Object.hasOwn(value, field)
      ? (members.get(value[field])?.(value) ?? declined)
      : declined
}

const union = (ast: SchemaAST.Union): Step => {
  const literals = new Set<unknown>(ast.types.flatMap(literalOf))
  if (literals.size === ast.types.length) return accept((value) => literals.has(value))
  if (!ast.types.every(isScalar)) return discriminated(ast)
  const members = ast.types.map(compile)
  return (value) => {
    for (const member of members) {
      const made = member(value)
      if (made !== declined) return made
    }
    return declined
  }
}

const list = (ast: SchemaAST.TupleType): Step => {
  const [rest, ...more] = ast.rest
  if (rest === undefined || more.length > 0 || ast.elements.length > 0) return interpreted(ast)
  const item = compile(rest.type)
  return (value) => {
    if (!Array.isArray(value)) return declined
    const made: Array<unknown> = []
    for (const one of value) {
      const next = item(one)
      if (next === declined) return declined
      made.push(next)
    }
    return made
  }
}

/** An object with named fields only. */
const struct = (ast: SchemaAST.TypeLiteral): Step => {
  const fields = ast.propertySignatures.flatMap(({ isOptional, name, type }) =>
    Predicate.isString(name) ? [{ name, isOptional, decode: compile(type) }] : []
  )
  if (fields.length !== ast.propertySignatures.length) return interpreted(ast)
  return (value) => {
    if (!Predicate.isRecord(value)) return declined
    const made: Record<string, unknown> = {}
    let known = 0
    for (const { decode, isOptional, name } of fields) {
      if (!Object.hasOwn(value, name)) {
        if (isOptional) continue
        return declined
      }
      const next = decode(value[name])
      if (next === declined) return declined
      made[name] = next
      known += 1
    }
    return Object.keys(value).length === known ? made : declined
  }
}

/** An object with any names (a record). */
const map = (ast: SchemaAST.TypeLiteral, { parameter, type }: SchemaAST.IndexSignature): Step => {
  if (!SchemaAST.isStringKeyword(parameter)) return interpreted(ast)
  const member = compile(type)
  return (value) => {
    if (!Predicate.isRecord(value)) return declined
    const made: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      const next = name === "__proto__" ? declined : member(value[name])
      if (next === declined) return declined
      made[name] = next
    }
    return made
  }
}

const object = (ast: SchemaAST.TypeLiteral): Step => {
  const [index, ...more] = ast.indexSignatures
  if (index === undefined) return ast.propertySignatures.length === 0 ? interpreted(ast) : struct(ast)
  return more.length > 0 || ast.propertySignatures.length > 0 ? interpreted(ast) : map(ast, index)
}

const refinement = (ast: SchemaAST.Refinement): Step => {
  const from = compile(ast.from)
  return (value) => {
    const made = from(value)
    return made !== declined && Option.isNone(ast.filter(made, strictOptions, ast)) ? made : declined
  }
}

const transformation = (ast: SchemaAST.Transformation): Step => {
  const { transformation: change } = ast
  if (!SchemaAST.isFinalTransformation(change)) return interpreted(ast)
  const from = compile(ast.from)
  const to = compile(ast.to)
  return (value) => {
    const read = from(value)
    if (read === declined) return declined
    const changed = change.decode(read, strictOptions, ast, value)
    return Either.isEither(changed) && Either.isRight(changed) ? to(changed.right) : declined
  }
}

const byTag = (ast: SchemaAST.AST): Step => {
  switch (ast._tag) {
    case "StringKeyword":
      return accept(Predicate.isString)
    case "NumberKeyword":
      return accept(Predicate.isNumber)
    case "BooleanKeyword":
      return accept(Predicate.isBoolean)
    case "UnknownKeyword":
      return (value) => value
    case "Literal":
      return accept((value) => value === ast.literal)
    case "TypeLiteral":
      return object(ast)
    case "TupleType":
      return list(ast)
    case "Union":
      return union(ast)
    case "Refinement":
      return refinement(ast)
    case "Transformation":
      return transformation(ast)
    default:
      return interpreted(ast)
  }
}

/** Whether a schema overrides the parse options or has a fallback. Such schemas are not compiled. */
const hasOwnRules = (ast: SchemaAST.AST): boolean =>
  Option.isSome(SchemaAST.getParseOptionsAnnotation(ast)) || Option.isSome(SchemaAST.getDecodingFallbackAnnotation(ast))

const compile = (ast: SchemaAST.AST): Step => (hasOwnRules(ast) ? interpreted(ast) : byTag(ast))

/**
 * Compiles a schema to a decoder that is about twenty times as fast. It returns none for a value that the schema rejects,
 * and for some that it accepts: the schema itself then decodes it or reports the errors. Values are results of
 * `JSON.parse`.
 */
export const compiledDecoder = <A, I>(schema: Schema.Schema<A, I>): ((value: unknown) => Option.Option<A>) => {
  const decode = compile(schema.ast)
  return (value) => Option.liftPredicate(decode(value), isDecoded<A>)
}

/** The 422 of an invalid body. */
export const invalid = (fields: Record<string, ReadonlyArray<string>>) =>
  new ValidationError({ message: "The request body is invalid", fields })

/** Decodes a value by a schema, or fails with 422. Unlike `decodeBody`, it does not check that its text can be stored. */
export const decodeForm = <A, I>(schema: Schema.Schema<A, I>) => {
  const decode = ParseResult.decodeUnknownEither(schema, strictOptions)
  return (value: unknown): Effect.Effect<A, ValidationError> =>
    Effect.catchAll(decode(value), (issue) => invalid(describeIssue(issue)))
}

/** The maximum number of values of a body of which all errors are reported: the schema needs up to 10 µs for each. */
const maxReportedValues = 10_000

/** Whether a value consists of at most `limit` values. */
const isAtMost = (value: unknown, limit: number): boolean => {
  const rest = [value]
  for (let count = 0; rest.length > 0 && count + rest.length <= limit; count++) {
    const next = rest.pop()
    if (typeof next !== "object" || next === null || next instanceof FileContent) continue
    for (const member of Object.values(next)) rest.push(member)
  }
  return rest.length === 0
}

/**
 * Decodes a value by a schema and checks that it can be stored. Fails with 422 and all errors, or the first one of a body of
 * more than 10,000 values.
 */
export const decodeBody = <A, I>(schema: Schema.Schema<A, I>) => {
  const read = compiledDecoder(schema)
  const decode = ParseResult.decodeUnknownEither(schema, strictOptions)
  const decodeLarge = ParseResult.decodeUnknownEither(schema, { ...strictOptions, errors: "first" })
  return (value: unknown): Effect.Effect<A, ValidationError> => {
    const decoded = isStorableJson(value) ? read(value) : Option.none()
    if (Option.isSome(decoded)) return Effect.succeed(decoded.value)
    const unstorable = unstorableFields(value)
    return Either.match(isAtMost(value, maxReportedValues) ? decode(value) : decodeLarge(value), {
      onLeft: (issue) => invalid(joinFieldErrors(unstorable, describeIssue(issue))),
      onRight: (result) => (Object.keys(unstorable).length > 0 ? invalid(unstorable) : Effect.succeed(result))
    })
  }
}
