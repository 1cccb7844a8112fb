import { Either, ParseResult, Predicate, Schema, SchemaAST } from "effect"

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
export const encodeParts = (ast: SchemaAST.AST, value: unknown): unknown => {
  const encoded = ParseResult.encodeUnknownEither(Schema.make<unknown>(ast), options)(value)
  if (Either.isRight(encoded)) return encoded.right
  const type = innermost(ast)
  if (SchemaAST.isTypeLiteral(type) && Predicate.isRecord(value)) return encodeFields(type, value)
  const item = SchemaAST.isTupleType(type) ? type.rest[0]?.type : undefined
  return item !== undefined && Array.isArray(value) ? value.map((one) => encodeParts(item, one)) : value
}
