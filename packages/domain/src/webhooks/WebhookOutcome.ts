import { DateTime, Duration } from "effect"
import { nextRetryAt, type RetrySchedule } from "../RetrySchedule.js"

/** The maximum `Retry-After` that is respected: one day. */
const maxRetryAfterSeconds = 86_400

/** An HTTP-date (RFC 9110 section 5.6.7). The asctime form has no zone and means GMT. */
const httpDate =
  /^[A-Z][a-z]+(, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT| [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/

/** Seconds that a `Retry-After` header requests (RFC 9110 section 10.2.3), at most a day; null if it is invalid. */
export const retryAfterSeconds = (header: string, now: DateTime.Utc): number | null => {
  const value = header.trim()
  if (/^\d+$/.test(value)) return Math.min(Number(value), maxRetryAfterSeconds)
  if (!httpDate.test(value)) return null
  const at = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`)
  if (Number.isNaN(at)) return null
  return Math.min(Math.max(Math.ceil((at - DateTime.toEpochMillis(now)) / 1000), 0), maxRetryAfterSeconds)
}

/** The fraction by which a wait is randomly lengthened or shortened. */
const jitter = 0.1

/** The maximum `Retry-After` of a receiver that is respected. */
const maxRetryAfter = Duration.hours(24)

/** How long all attempts must fail before the endpoint is disabled. */
const disabledAfter = Duration.days(5)

/** The result of an attempt. */
export type WebhookResult = "succeeded" | "failed" | "gone"

/** 2xx is success, 410 means that the endpoint is gone (Standard Webhooks), null is no response. */
export const webhookResult = (responseStatus: number | null): WebhookResult =>
  responseStatus === 410
    ? "gone"
    : responseStatus !== null && responseStatus >= 200 && responseStatus < 300
      ? "succeeded"
      : "failed"

/** The time of the next attempt, null if no retry is left. `chance` is a random number from 0 to 1. */
export const nextWebhookAttemptAt = (
  schedule: RetrySchedule,
  retriesUsed: number,
  retryAfterSeconds: number | null,
  now: DateTime.Utc,
  chance: number
): DateTime.Utc | null =>
  nextRetryAt(schedule, retriesUsed, now, chance, {
    jitter,
    minWait: Duration.min(Duration.seconds(retryAfterSeconds ?? 0), maxRetryAfter)
  })

/** Whether an endpoint that has failed since `failingSince` is to be disabled. */
export const isFailingTooLong = (failingSince: DateTime.Utc, now: DateTime.Utc): boolean =>
  DateTime.greaterThanOrEqualTo(now, DateTime.addDuration(failingSince, disabledAfter))
