import { Either, Option, ParseResult, Predicate, Schema, SchemaAST } from "effect"

/** Bodies name what is known and nothing else, and hear of all that is wrong with them at once. */
export const strict = { errors: "all", onExcessProperty: "error" } as const

/** What a step answers to a value that is for the schema itself to judge. */
const declined = Symbol("declined")

type Step = (value: unknown) => unknown

/** Steps know what they take, not what they make of it: that is what the schema's type says. */
const isMade = <A>(value: unknown): value is A => value !== declined

/** What takes a value as it is, or declines it. */
const kept =
  (is: (value: unknown) => boolean): Step =>
  (value) =>
    is(value) ? value : declined

/** The schema's own way, for whatever is not spelled out here. */
const interpreted = (ast: SchemaAST.AST): Step => {
  const decode = ParseResult.decodeUnknownEither(Schema.make<unknown>(ast), strict)
  return (value) => Either.getOrElse(decode(value), () => declined)
}

const literalOf = (ast: SchemaAST.AST) => (SchemaAST.isLiteral(ast) ? [ast.literal] : [])

/** Whether a union takes the first of its members that fits: those of objects are told apart by what is in them. */
const isPlainText = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isRefinement(ast) || SchemaAST.isTransformation(ast)
    ? isPlainText(ast.from)
    : SchemaAST.isStringKeyword(ast) ||
      SchemaAST.isLiteral(ast) ||
      SchemaAST.isBooleanKeyword(ast) ||
      SchemaAST.isNumberKeyword(ast)

const union = (ast: SchemaAST.Union): Step => {
  const literals = new Set<unknown>(ast.types.flatMap(literalOf))
  if (literals.size === ast.types.length) return kept((value) => literals.has(value))
  if (!ast.types.every(isPlainText)) return interpreted(ast)
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

/** An object of fields that have names, and no others. */
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

/** An object of any names. */
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
    return made !== declined && Option.isNone(ast.filter(made, strict, ast)) ? made : declined
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
    const changed = change.decode(read, strict, ast, value)
    return Either.isEither(changed) && Either.isRight(changed) ? to(changed.right) : declined
  }
}

const byTag = (ast: SchemaAST.AST): Step => {
  switch (ast._tag) {
    case "StringKeyword":
      return kept(Predicate.isString)
    case "NumberKeyword":
      return kept(Predicate.isNumber)
    case "BooleanKeyword":
      return kept(Predicate.isBoolean)
    case "UnknownKeyword":
      return (value) => value
    case "Literal":
      return kept((value) => value === ast.literal)
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

/** A schema may say on any part of it that this part is decoded by other rules. */
const hasOwnRules = (ast: SchemaAST.AST): boolean =>
  Option.isSome(SchemaAST.getParseOptionsAnnotation(ast)) || Option.isSome(SchemaAST.getDecodingFallbackAnnotation(ast))

const compile = (ast: SchemaAST.AST): Step => (hasOwnRules(ast) ? interpreted(ast) : byTag(ast))

/**
 * Decodes what a schema takes some twenty times as fast as the schema does, by steps that are put together once. Of
 * anything else it says nothing at all: the schema is then asked, and what is wrong is told in its words alone. Values
 * are those that `JSON.parse` makes.
 */
export const compiledDecoder = <A, I>(schema: Schema.Schema<A, I>): ((value: unknown) => Option.Option<A>) => {
  const decode = compile(schema.ast)
  return (value) => Option.liftPredicate(decode(value), isMade<A>)
}
