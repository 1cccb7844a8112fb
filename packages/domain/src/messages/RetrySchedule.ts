import { DateTime, Duration, Option } from "effect"

/** How long to wait before each retry, the first retry first. Its length is the number of retries. */
export type RetrySchedule = ReadonlyArray<Duration.Duration>

/** RFC 5321 section 4.5.4.1 asks for at least 30 minutes between late tries; the first ones serve greylisting. */
export const defaultRetrySchedule: RetrySchedule = [
  Duration.seconds(30),
  Duration.minutes(2),
  Duration.minutes(10),
  Duration.minutes(30),
  Duration.hours(1),
  Duration.hours(2),
  Duration.hours(4),
  Duration.hours(8)
]

/** The part of a delay by which chance may lengthen or shorten it, so that what failed together is not retried together. */
export const retryJitter = 0.2

/** When to try again after `retriesUsed` retries, none if they are used up. `chance` is a number from 0 to 1. */
export const nextRetryAt = (
  schedule: RetrySchedule,
  retriesUsed: number,
  now: DateTime.Utc,
  chance: number
): Option.Option<DateTime.Utc> =>
  Option.map(Option.fromNullable(schedule[retriesUsed]), (delay) =>
    DateTime.addDuration(now, Duration.times(delay, 1 + retryJitter * (2 * chance - 1)))
  )
