import { type Schema, SchemaAST } from "effect"

/**
 * The annotation of a filter that is a type guard: the schema of the type that it narrows to. The types of the client are
 * derived from schemas, and a predicate does not have its type at run time.
 */
export const narrowedTo = (type: Schema.Schema.All) => ({
  [SchemaAST.SurrogateAnnotationId]: SchemaAST.typeAST(type.ast)
})
