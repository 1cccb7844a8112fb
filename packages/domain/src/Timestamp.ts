import { Schema } from "effect"

const jsonSchema = {
  type: "string",
  format: "date-time",
  pattern: String.raw`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$`,
  examples: ["2026-11-20T09:30:00.000Z"]
}

/** An instant; on the wire ISO 8601 in UTC with milliseconds and `Z`. */
export const Timestamp = Schema.DateTimeUtc.annotations({
  identifier: "Timestamp",
  description: "an ISO 8601 date-time in UTC",
  jsonSchema
})

/** An instant as text, for JSON documents that are stored in wire format. */
export const TimestampText = Schema.String.annotations({
  description: "an ISO 8601 date-time in UTC",
  jsonSchema
})
