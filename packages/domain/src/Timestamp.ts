import { DateTime, Option, ParseResult, Predicate, Schema } from "effect"

/** `UTC` or `Area/Location`. Abbreviations like `IST` mean different zones in JavaScript and in PostgreSQL. */
const form = /^(?:UTC|[A-Za-z_]+(?:[/][A-Za-z0-9_+-]+)+)$/

/** The zones `SystemV/…` are known to JavaScript alone. */
const isKnown = (name: string): boolean => {
  if (name.startsWith("SystemV/")) return false
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** The name of a time zone in the IANA database. */
export const TimeZone = Schema.String.pipe(
  Schema.filter((name) => (form.test(name) && isKnown(name)) || "must be an IANA time zone like Europe/Berlin")
).annotations({
  description: "an IANA time zone",
  jsonSchema: { type: "string", pattern: form.source, examples: ["Europe/Berlin"] }
})

const day = String.raw`\d{4}-\d{2}-\d{2}`
const hours = String.raw`(?:[01]\d|2[0-3])`
const minutes = String.raw`[0-5]\d`
const timeAndZone = String.raw`T${hours}:${minutes}(?::${minutes}(?:\.\d{1,9})?)?(?:Z|[+-]${hours}:${minutes})`

const dateTime = new RegExp(`^${day}${timeAndZone}$`)
const date = new RegExp(`^${day}$`)

/** Whether the day exists: `Date` parses 30 February as 2 March. */
const isDay = (text: string): boolean =>
  Option.exists(DateTime.make(text), (time) => DateTime.formatIsoDateUtc(time) === text)

const parseTime = (text: string): Option.Option<DateTime.Utc> =>
  dateTime.test(text) && isDay(text.slice(0, 10)) ? Option.map(DateTime.make(text), DateTime.toUtc) : Option.none()

const description = "an ISO 8601 date-time"
const dateTimeForm = { type: "string", format: "date-time", pattern: dateTime.source }
const examples = ["2026-11-20T09:30:00.000Z"]

/** An ISO 8601 date-time with a zone, as callers write it. */
export const IsoDateTime = Schema.transformOrFail(Schema.String, Schema.DateTimeUtcFromSelf, {
  strict: true,
  decode: (text, _, ast) =>
    Option.match(parseTime(text), {
      onNone: () => ParseResult.fail(new ParseResult.Type(ast, text, "must be an ISO 8601 date-time")),
      onSome: ParseResult.succeed
    }),
  encode: (time) => ParseResult.succeed(DateTime.formatIso(time))
}).annotations({
  identifier: "DateTime",
  description,
  jsonSchema: { ...dateTimeForm, description: "an ISO 8601 date-time with its zone", examples }
})

/**
 * An end of a range: an ISO 8601 date-time with a zone, or a date like `2026-11-28`, which stays a text: its day depends
 * on the time zone of the organization.
 */
export const IsoDateTimeOrDate = Schema.transformOrFail(
  Schema.String,
  Schema.Union(Schema.DateTimeUtcFromSelf, Schema.String),
  {
    strict: true,
    decode: (text, _, ast) =>
      date.test(text) && isDay(text)
        ? ParseResult.succeed(text)
        : Option.match(parseTime(text), {
            onNone: () => ParseResult.fail(new ParseResult.Type(ast, text, "must be an ISO 8601 date-time or date")),
            onSome: ParseResult.succeed
          }),
    encode: (end, _, ast) => {
      if (!Predicate.isString(end)) return ParseResult.succeed(DateTime.formatIso(end))
      return date.test(end) && isDay(end)
        ? ParseResult.succeed(end)
        : ParseResult.fail(new ParseResult.Type(ast, end, "must be a date like 2026-11-28"))
    }
  }
).annotations({
  description: "an ISO 8601 date-time or date",
  jsonSchema: {
    anyOf: [dateTimeForm, { type: "string", format: "date", pattern: date.source }],
    description: "an ISO 8601 date-time with its zone, or a date: that day in the time zone of the organization",
    examples: [...examples, "2026-11-20"]
  }
})

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
