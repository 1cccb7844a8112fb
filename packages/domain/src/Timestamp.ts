import { Schema } from "effect"

const example = "2026-11-20T09:30:00.000Z"

/** An instant, on the wire as ISO 8601 in UTC with milliseconds and `Z`. */
export const Timestamp = Schema.DateTimeUtc.annotations({
  identifier: "Timestamp",
  description: "an ISO 8601 date-time in UTC",
  jsonSchema: { type: "string", format: "date-time", examples: [example] }
})

/** The same instant as text, inside the JSON documents that are stored as they are sent. */
export const TimestampText = Schema.String.annotations({
  description: "an ISO 8601 date-time in UTC",
  jsonSchema: { type: "string", format: "date-time", examples: [example] }
})
