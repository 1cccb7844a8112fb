import { DateTime, Option, ParseResult, Schema } from "effect"

const day = String.raw`\d{4}-\d{2}-\d{2}`
const hours = String.raw`(?:[01]\d|2[0-3])`
const minutes = String.raw`[0-5]\d`
const timeAndZone = String.raw`T${hours}:${minutes}(?::${minutes}(?:\.\d{1,9})?)?(?:Z|[+-]${hours}:${minutes})`

const dateTime = new RegExp(`^${day}${timeAndZone}$`)
const dateTimeOrDate = new RegExp(`^${day}(?:${timeAndZone})?$`)

/** Whether the day exists: `Date` parses 30 February as 2 March. */
const isDay = (text: string): boolean =>
  Option.exists(DateTime.make(text), (time) => DateTime.formatIsoDateUtc(time) === text)

const ofForm = (form: RegExp) =>
  Schema.transformOrFail(Schema.String, Schema.DateTimeUtcFromSelf, {
    strict: true,
    decode: (text, _, ast) =>
      Option.match(form.test(text) && isDay(text.slice(0, 10)) ? DateTime.make(text) : Option.none(), {
        onNone: () => ParseResult.fail(new ParseResult.Type(ast, text, "must be an ISO 8601 date-time")),
        onSome: (time) => ParseResult.succeed(DateTime.toUtc(time))
      }),
    encode: (time) => ParseResult.succeed(DateTime.formatIso(time))
  })

const description = "an ISO 8601 date-time"
const dateTimeForm = { type: "string", format: "date-time", pattern: dateTime.source }
const examples = ["2026-11-20T09:30:00.000Z"]

/** An ISO 8601 date-time with a zone, as callers write it. */
export const IsoDateTime = ofForm(dateTime).annotations({
  description,
  jsonSchema: { ...dateTimeForm, description: "an ISO 8601 date-time with its zone", examples }
})

/** An ISO 8601 date-time with a zone, or a date, which means midnight UTC. */
export const IsoDateTimeOrDate = ofForm(dateTimeOrDate).annotations({
  description,
  jsonSchema: {
    anyOf: [dateTimeForm, { type: "string", format: "date", pattern: `^${day}$` }],
    description: "an ISO 8601 date-time; a date without a time means midnight in UTC",
    examples: [...examples, "2026-11-20"]
  }
})
