import { DateTime, Option, ParseResult, Schema } from "effect"

const form = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** Whether the calendar has this day: the platform would take 30 February for 2 March. */
const isDay = (day: string): boolean =>
  Option.exists(DateTime.make(day), (time) => DateTime.formatIsoDateUtc(time) === day)

/** An instant in a query: an ISO 8601 date-time, or a date, which is its midnight in UTC. */
export const QueryTime = Schema.transformOrFail(Schema.String, Schema.DateTimeUtcFromSelf, {
  strict: true,
  decode: (text, _, ast) =>
    Option.match(form.test(text) && isDay(text.slice(0, 10)) ? DateTime.make(text) : Option.none(), {
      onNone: () => ParseResult.fail(new ParseResult.Type(ast, text, "must be an ISO 8601 date-time")),
      onSome: (time) => ParseResult.succeed(DateTime.toUtc(time))
    }),
  encode: (time) => ParseResult.succeed(DateTime.formatIso(time))
}).annotations({
  description: "an ISO 8601 date-time",
  jsonSchema: {
    type: "string",
    format: "date-time",
    description: "an ISO 8601 date-time; a date alone is taken for its midnight in UTC",
    examples: ["2026-11-20T09:30:00.000Z"]
  }
})
