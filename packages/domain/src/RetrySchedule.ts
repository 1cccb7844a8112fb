import { DateTime, Duration } from "effect"

/** How long to wait before each retry, the first retry first. Its length is the number of retries. */
export type RetrySchedule = ReadonlyArray<Duration.Duration>

/** Messages: RFC 5321 section 4.5.4.1 asks for at least 30 minutes between late tries; the first ones serve greylisting. */
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

/** Webhooks: with the attempt at once, ten attempts over three days. */
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

/** How a wait of a schedule is changed. */
export interface RetryRule {
  /** The part of a wait by which chance may lengthen or shorten it, so that what failed together is not retried together. */
  readonly jitter?: number
  /** The wait that the other side asks for at least. */
  readonly minWait?: Duration.Duration
}

/** When to try again after `retriesUsed` retries, null if they are used up. `chance` is a number from 0 to 1. */
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
