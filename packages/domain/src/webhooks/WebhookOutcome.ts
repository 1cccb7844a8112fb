import { DateTime, Duration } from "effect"
import { nextRetryAt, type RetrySchedule } from "../RetrySchedule.js"

/** The part of a wait by which chance may lengthen or shorten it. */
const jitter = 0.1

/** The longest that a receiver may ask us to wait (`Retry-After`). */
const longestRetryAfter = Duration.hours(24)

/** How long every attempt must have failed before an endpoint is disabled. */
export const disabledAfter = Duration.days(5)

/** How the receiver took an attempt. */
export type WebhookResult = "succeeded" | "failed" | "gone"

/** 2xx is success, 410 says that the endpoint is gone (Standard Webhooks); no answer is `null`. */
export const webhookResult = (responseStatus: number | null): WebhookResult =>
  responseStatus === 410
    ? "gone"
    : responseStatus !== null && responseStatus >= 200 && responseStatus < 300
      ? "succeeded"
      : "failed"

/** When a failed attempt is made again, null if the schedule is used up. `chance` is a number from 0 to 1. */
export const nextWebhookAttemptAt = (
  schedule: RetrySchedule,
  retriesUsed: number,
  retryAfterSeconds: number | null,
  now: DateTime.Utc,
  chance: number
): DateTime.Utc | null =>
  nextRetryAt(schedule, retriesUsed, now, chance, {
    jitter,
    minWait: Duration.min(Duration.seconds(retryAfterSeconds ?? 0), longestRetryAfter)
  })

/** Whether an endpoint that has failed since then has failed for too long. */
export const isFailingTooLong = (failingSince: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.greaterThanOrEqualTo(now, DateTime.addDuration(failingSince, disabledAfter))
