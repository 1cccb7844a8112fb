import { Schema } from "effect"

/** Describes date ranges and the counting of messages in them. */
export const rangeDescription = [
  "- A status counts at the time when a message reached it, whenever the message was accepted.",
  "- A message that was read counts as sent, as delivered and as read.",
  "- Test messages are counted. Deleted messages stay counted."
].join("\n")

/** The response of a removal. */
export const Removed = Schema.Struct({ success: Schema.Literal(true) }).annotations({ identifier: "Removed" })
export const removed: typeof Removed.Type = { success: true }

/** The response of an operation without a result. */
export const Done = Schema.Struct({ success: Schema.Literal(true) }).annotations({ identifier: "Done" })
export const done: typeof Done.Type = { success: true }

/** The body of an operation without fields: `{}`, or no body. */
export const NoFields = Schema.Record({ key: Schema.String, value: Schema.Unknown })
  .pipe(
    Schema.filter((value) => Object.keys(value).map((field) => ({ path: [field], message: "is not a known field" })))
  )
  .annotations({
    identifier: "NoFields",
    jsonSchema: { type: "object", required: [], properties: {}, additionalProperties: false }
  })
