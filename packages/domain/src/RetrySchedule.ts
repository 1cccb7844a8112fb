import { DateTime, Duration } from "effect"

/** The wait before each retry, in order. The length is the number of retries. */
export type RetrySchedule = ReadonlyArray<Duration.Duration>

/**
 * The retries of messages. RFC 5321 section 4.5.4.1 requires at least 30 minutes between later attempts; the first,
 * shorter waits suit greylisting.
 */
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

/** The retries of webhooks: with the first attempt, ten attempts over three days. */
export const defaultWebhookRetrySchedule: RetrySchedule = [
  Duration.seconds(5),
  Duration.minutes(5),
  Duration.minutes(30),
  Duration.hours(2),
  Duration.hours(5),
  Duration.hours(10),
  Duration.hours(14),
  Duration.hours(20),
  Duration.hours(24)
]

/** Modifies the wait of a schedule. */
export interface RetryRule {
  /** The fraction by which a wait is randomly lengthened or shortened, so that retries do not coincide. */
  readonly jitter?: number
  /** The minimum wait, as the remote side requested it. */
  readonly minWait?: Duration.Duration
}

/**
 * The time of the next retry after `retriesUsed` retries, null if none is left. `chance` is a random number from 0 to
 * 1.
 */
export const nextRetryAt = (
  schedule: RetrySchedule,
  retriesUsed: number,
  now: DateTime.Utc,
  chance: number,
  { jitter = 0.2, minWait = Duration.zero }: RetryRule = {}
): DateTime.Utc | null => {
  const wait = schedule[retriesUsed]
  if (wait === undefined) return null
  const jittered = Duration.times(wait, 1 + jitter * (2 * chance - 1))
  return DateTime.addDuration(now, Duration.max(jittered, minWait))
}
