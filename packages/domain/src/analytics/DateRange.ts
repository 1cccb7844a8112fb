import { DateTime, Duration, Either, Schema } from "effect"
import { BadRequestError } from "../Errors.js"
import { IsoDateTime } from "../IsoDateTime.js"

/**
 * The range of an analytics request, by default the last 30 days. Dates without a time are rejected: a day depends on
 * the organization's time zone, which the request does not have.
 */
export const DateRangeParams = {
  startDate: Schema.optional(IsoDateTime),
  endDate: Schema.optional(IsoDateTime)
}

/** The range as requested, without defaults. */
export interface RequestedRange {
  readonly startDate?: DateTime.Utc | undefined
  readonly endDate?: DateTime.Utc | undefined
}

/** From `start` inclusive to `end` exclusive. */
export interface DateRange {
  readonly start: DateTime.Utc
  readonly end: DateTime.Utc
}

const maxRange = Duration.days(366)
const defaultRange = Duration.days(30)

const quarter = 15 * 60 * 1_000

/** The start of the quarter hour of an instant. Counters are stored by quarter hour. */
export const quarterOf = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.unsafeMake(Math.floor(DateTime.toEpochMillis(at) / quarter) * quarter)

/** The first start of a quarter hour that is not before an instant. */
export const quarterAfter = (at: DateTime.Utc): DateTime.Utc =>
  DateTime.unsafeMake(Math.ceil(DateTime.toEpochMillis(at) / quarter) * quarter)

/**
 * The range of a request. A default start or end lies on a quarter hour, which the counters cover completely. No
 * message is counted in the future, so that an `end` after `now` means the end of the current quarter hour.
 */
export const dateRange = (
  { endDate, startDate }: RequestedRange,
  now: DateTime.Utc
): Either.Either<DateRange, BadRequestError> => {
  const end = endDate ?? now
  const start = startDate ?? quarterOf(DateTime.subtractDuration(end, defaultRange))
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
  if (Duration.greaterThan(DateTime.distanceDuration(start, end), maxRange)) {
    return Either.left(
      new BadRequestError({ message: "The parameters startDate and endDate must be at most 366 days apart" })
    )
  }
  return Either.right({ start, end: DateTime.lessThan(end, now) ? end : DateTime.max(start, quarterAfter(now)) })
}
