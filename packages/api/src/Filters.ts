import { Either, JSONSchema, ParseResult, Predicate, Schema } from "effect"
import { joinFields } from "./http/body/Fields.js"
import { describeIssue } from "./http/body/IssueText.js"
import { depthOf, maxDepth, unkeepable } from "./http/body/JsonBody.js"

const notJson = "must be a JSON object"
const tooDeep = `must not nest deeper than ${maxDepth} levels`

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the JSON of a parameter may say. The document knows no names that are only here: they are written out. */
const contentSchema = <A, I>({ ast }: Schema.Schema<A, I>): unknown => {
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const written = JSONSchema.fromAST(ast, { definitions, definitionPath: "" })
  return JSON.parse(
    JSON.stringify(written, (_, value: unknown) =>
      Predicate.hasProperty(value, "$ref") ? definitions[String(value.$ref)] : value
    )
  )
}

/**
 * The query parameter `filters`: a JSON object of the fields that a list may be narrowed to. It is closed: a field that
 * the list does not know is refused, and named.
 */
export const Filters = <A, I>(schema: Schema.Schema<A, I>, example: I) => {
  const decode = ParseResult.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })
  const encode = ParseResult.encodeEither(schema)
  return Schema.transformOrFail(Schema.String, Schema.typeSchema(schema), {
    strict: true,
    decode: (text, _, ast) => {
      if (depthOf(Buffer.from(text)) > maxDepth) return ParseResult.fail(new ParseResult.Type(ast, text, tooDeep))
      const value = parse(text)
      if (!Predicate.isRecord(value)) return ParseResult.fail(new ParseResult.Type(ast, text, notJson))
      const decoded = decode(value)
      const wrong = joinFields(unkeepable(value), decoded._tag === "Left" ? describeIssue(decoded.left) : {})
      const [first] = Object.entries(wrong)
      if (first === undefined) return decoded
      const [field, [sentence]] = first
      return ParseResult.fail(new ParseResult.Pointer(field, text, new ParseResult.Type(ast, text, sentence)))
    },
    encode: (filters) => Either.map(encode(filters), (given) => JSON.stringify(given))
  }).annotations({
    description: notJson,
    jsonSchema: {
      type: "string",
      contentMediaType: "application/json",
      contentSchema: contentSchema(schema),
      description: "a JSON object of what the list is narrowed to; all of it must hold",
      examples: [JSON.stringify(example)]
    }
  })
}
