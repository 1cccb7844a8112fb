import { JSONSchema, type Schema } from "effect"

/**
 * The JSON Schema of a value that matches exactly one of `members`, for a schema that decodes it as one object with a
 * filter: the errors of a union would name the fields of every member. The document moves `$defs` to its components.
 */
export const oneOf = (...members: ReadonlyArray<Schema.Schema.All>) => {
  const $defs: Record<string, JSONSchema.JsonSchema7> = {}
  const written = members.map(({ ast }) =>
    JSONSchema.fromAST(ast, {
      definitions: $defs,
      definitionPath: "#/components/schemas/",
      target: "openApi3.1"
    })
  )
  return { oneOf: written, ...(Object.keys($defs).length === 0 ? {} : { $defs }) }
}
