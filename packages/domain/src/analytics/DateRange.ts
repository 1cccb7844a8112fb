import { DateTime, Duration, Either, Schema } from "effect"
import { BadRequestError } from "../Errors.js"
import { IsoDateTime } from "../IsoDateTime.js"

/**
 * What whatever counts takes: the last 30 days unless told otherwise. No dates alone: days are those of the
 * organization's time zone, and whoever asks would get those of another.
 */
export const DateRangeParams = {
  startDate: Schema.optional(IsoDateTime),
  endDate: Schema.optional(IsoDateTime)
}

/** A range as a caller says it. */
export interface AskedRange {
  readonly startDate?: DateTime.Utc | undefined
  readonly endDate?: DateTime.Utc | undefined
}

/** From an instant on, and before another: ranges that touch have nothing in common. */
export interface DateRange {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

const longest = Duration.days(366)
const unlessTold = Duration.days(30)

const quarter = 15 * 60 * 1_000

/** The beginning of the quarter of an hour that an instant is in. Of quarters, counts are kept. */
export const quarterOf = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.unsafeMake(Math.floor(DateTime.toEpochMillis(at) / quarter) * quarter)

/** The first beginning of a quarter of an hour that is not before an instant. */
export const quarterAfter = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.unsafeMake(Math.ceil(DateTime.toEpochMillis(at) / quarter) * quarter)

/**
 * The range that a caller asked for. Where nothing is said, it begins and ends with a quarter of an hour, which is
 * counted already; nothing happens later than now, so that an end after that is no other than one within this quarter.
 */
export const dateRange = (
  { endDate, startDate }: AskedRange,
  now: DateTime.Utc
): Either.Either<DateRange, BadRequestError> => {
  const end = endDate ?? now
  const start = startDate ?? quarterOf(DateTime.subtractDuration(end, unlessTold))
  if (DateTime.lessThan(end, start)) {
    return Either.left(
      new BadRequestError({
        message:
          endDate === undefined
            ? "The parameter startDate must not be in the future without endDate"
            : "The parameter endDate must not be before startDate"
      })
    )
  }
  if (Duration.greaterThan(DateTime.distanceDuration(start, end), longest)) {
    return Either.left(
      new BadRequestError({ message: "The parameters startDate and endDate must be at most 366 days apart" })
    )
  }
  return Either.right({ start, end: DateTime.lessThan(end, now) ? end : DateTime.max(start, quarterAfter(now)) })
}
