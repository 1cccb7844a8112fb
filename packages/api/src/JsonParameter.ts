import { atOnce } from "@switchboard/services/Slices"
import { Array, Either, JSONSchema, ParseResult, Predicate, Schema } from "effect"
import { describeIssue, joinFieldErrors } from "./http/body/FieldErrors.js"
import { exceededLimit, maxDepth, unstorableFields } from "./http/body/JsonBody.js"

const notJson = "must be a JSON object"
const tooDeep = `must not nest deeper than ${maxDepth} levels`

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The JSON Schema of a parameter's JSON. References are replaced by their schemas, which the document does not list. */
const contentSchema = <A, I>({ ast }: Schema.Schema<A, I>): unknown => {
  const definitions: Record<string, JSONSchema.JsonSchema7> = {}
  const written = JSONSchema.fromAST(ast, { definitions, definitionPath: "" })
  return JSON.parse(
    JSON.stringify(written, (_, value: unknown) =>
      Predicate.hasProperty(value, "$ref") ? definitions[String(value.$ref)] : value
    )
  )
}

/** A query parameter with a JSON object. Every wrong or unknown field is named. */
export const JsonParameter = <A, I>(schema: Schema.Schema<A, I>, description: string, example: I) => {
  const decode = ParseResult.decodeUnknownEither(schema, { errors: "all", onExcessProperty: "error" })
  const encode = ParseResult.encodeEither(schema)
  return Schema.transformOrFail(Schema.String, Schema.typeSchema(schema), {
    strict: true,
    decode: (text, _, ast) => {
      if (atOnce(exceededLimit(new TextEncoder().encode(text))) === "depth")
        return ParseResult.fail(new ParseResult.Type(ast, text, tooDeep))
      const value = parse(text)
      if (!Predicate.isRecord(value)) return ParseResult.fail(new ParseResult.Type(ast, text, notJson))
      const decoded = decode(value)
      const wrong = joinFieldErrors(unstorableFields(value), decoded._tag === "Left" ? describeIssue(decoded.left) : {})
      const issues = Object.entries(wrong).flatMap(([field, sentences]) =>
        sentences.map((sentence) => new ParseResult.Pointer(field, text, new ParseResult.Type(ast, text, sentence)))
      )
      return Array.isNonEmptyArray(issues) ? ParseResult.fail(new ParseResult.Composite(ast, text, issues)) : decoded
    },
    encode: (filters) => Either.map(encode(filters), (encoded) => JSON.stringify(encoded))
  }).annotations({
    jsonSchema: {
      type: "string",
      contentMediaType: "application/json",
      contentSchema: contentSchema(schema),
      description,
      examples: [JSON.stringify(example)]
    }
  })
}

/** The query parameter `filters`: a JSON object with the conditions of a list. */
export const Filters = <A, I>(schema: Schema.Schema<A, I>, example: I) =>
  JsonParameter(schema, "a JSON object of conditions, all of which must hold", example)
