import { Schema } from "effect"

const example = "2026-11-20T09:30:00.000Z"

/** An instant; on the wire ISO 8601 in UTC with milliseconds and `Z`. */
export const Timestamp = Schema.DateTimeUtc.annotations({
  identifier: "Timestamp",
  description: "an ISO 8601 date-time in UTC",
  jsonSchema: { type: "string", format: "date-time", examples: [example] }
})

/** An instant as text, for JSON documents that are stored in wire format. */
export const TimestampText = Schema.String.annotations({
  description: "an ISO 8601 date-time in UTC",
  jsonSchema: { type: "string", format: "date-time", examples: [example] }
})
