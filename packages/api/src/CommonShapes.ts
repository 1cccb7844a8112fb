import { Schema } from "effect"

/** The response of a removal. */
export const Removed = Schema.Struct({ success: Schema.Literal(true) }).annotations({ identifier: "Removed" })
export const removed: typeof Removed.Type = { success: true }

/** The body of an operation without fields: `{}`, or no body. */
export const NoFields = Schema.Record({ key: Schema.String, value: Schema.Unknown })
  .pipe(
    Schema.filter((value) => Object.keys(value).map((field) => ({ path: [field], message: "is not a known field" })))
  )
  .annotations({
    identifier: "NoFields",
    jsonSchema: { type: "object", required: [], properties: {}, additionalProperties: false }
  })
