import { DateTime, Duration, Either, Predicate, Schema } from "effect"
import { BadRequestError } from "../Errors.js"
import { IsoDateTimeOrDate } from "../Timestamp.js"

/** The ends of a requested range. */
export const DateRangeParams = {
  startDate: Schema.optional(IsoDateTimeOrDate),
  endDate: Schema.optional(IsoDateTimeOrDate)
}

/** An end of a requested range: an instant, or a day like `2026-11-28` in the time zone of the organization. */
type RequestedEnd = typeof IsoDateTimeOrDate.Type

/** The range as requested, without defaults. */
export interface RequestedRange {
  readonly startDate?: RequestedEnd | undefined
  readonly endDate?: RequestedEnd | undefined
}

/** The ends of a requested range as instants. Both are inclusive; the end of a day is its last millisecond. */
export interface RangeEnds {
  readonly start?: DateTime.Utc | undefined
  readonly end?: DateTime.Utc | undefined
}

const isDay = Predicate.isString

/** Whether an end of the range is a day. */
export const hasDay = ({ endDate, startDate }: RequestedRange): boolean => isDay(startDate) || isDay(endDate)

/** The first instant of a day, or of the one after it. Clocks can be changed at midnight. */
const startOfDay = (day: string, timeZone: string, daysAfter = 0): DateTime.Utc =>
  DateTime.toUtc(
    DateTime.unsafeMakeZoned(DateTime.add(DateTime.unsafeMake(day), { days: daysAfter }), {
      timeZone,
      adjustForTimeZone: true
    })
  )

/** The ends of a requested range. A range that ends before its start is rejected. */
export const rangeEnds = (
  { endDate, startDate }: RequestedRange,
  timeZone: string
): Either.Either<RangeEnds, BadRequestError> => {
  const start = isDay(startDate) ? startOfDay(startDate, timeZone) : startDate
  const end = isDay(endDate) ? DateTime.subtract(startOfDay(endDate, timeZone, 1), { millis: 1 }) : endDate
  return start !== undefined && end !== undefined && DateTime.lessThan(end, start)
    ? Either.left(new BadRequestError({ message: "The parameter endDate must not be before startDate" }))
    : Either.right({ start, end })
}

/** From `start` inclusive to `end` exclusive. */
export interface DateRange {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

const maxRange = Duration.days(366)
const defaultRange = Duration.days(30)

/** The length of a quarter hour in milliseconds. */
export const quarterMillis = 15 * 60 * 1_000

/** The length of a day in UTC in milliseconds. */
export const dayMillis = 96 * quarterMillis

/** The start of the period of an instant, for periods of a length since 1970; all in milliseconds. */
export const floorTo = (length: number, millis: number): number => Math.floor(millis / length) * length

/** The first start of a period that is not before an instant, for periods of a length since 1970; all in milliseconds. */
export const ceilTo = (length: number, millis: number): number => Math.ceil(millis / length) * length

/** The start of the quarter hour of an instant. Counters are stored by quarter hour. */
export const quarterOf = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.unsafeMake(floorTo(quarterMillis, DateTime.toEpochMillis(at)))

/** The first start of a quarter hour that is not before an instant. */
export const quarterAfter = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.unsafeMake(ceilTo(quarterMillis, DateTime.toEpochMillis(at)))

/**
 * The range of a request for figures, by default the last 30 days. An instant as its end is exclusive. A default start
 * or end lies on a quarter hour, which the counters cover completely. No message is counted in the future, so that an
 * `end` after `now` means the end of the current quarter hour.
 */
export const dateRange = (
  requested: RequestedRange,
  timeZone: string,
  now: DateTime.Utc
): Either.Either<DateRange, BadRequestError> =>
  Either.flatMap(rangeEnds(requested, timeZone), (ends) => {
    const last = ends.end ?? now
    const end = isDay(requested.endDate) ? DateTime.add(last, { millis: 1 }) : last
    const start = ends.start ?? quarterOf(DateTime.subtractDuration(end, defaultRange))
    if (DateTime.lessThan(end, start)) {
      return Either.left(
        new BadRequestError({ message: "The parameter startDate must not be in the future without endDate" })
      )
    }
    // A change of the clocks makes a range of days an hour longer.
    const maxLength = hasDay(requested) ? Duration.sum(maxRange, Duration.hours(1)) : maxRange
    if (Duration.greaterThan(DateTime.distanceDuration(start, end), maxLength)) {
      return Either.left(
        new BadRequestError({ message: "The parameters startDate and endDate must be at most 366 days apart" })
      )
    }
    return Either.right({ start, end: DateTime.lessThan(end, now) ? end : DateTime.max(start, quarterAfter(now)) })
  })
