import { Schema } from "effect"

/** The answer to a removal. */
export const Removed = Schema.Struct({ success: Schema.Literal(true) }).annotations({ identifier: "Removed" })
export const removed: typeof Removed.Type = { success: true }

/** The body of an operation that needs to be told nothing: `{}`, or none at all. */
export const NoFields = Schema.Record({ key: Schema.String, value: Schema.Unknown })
  .pipe(
    Schema.filter((given) => Object.keys(given).map((field) => ({ path: [field], message: "is not a known field" })))
  )
  .annotations({
    identifier: "NoFields",
    jsonSchema: { type: "object", required: [], properties: {}, additionalProperties: false }
  })
