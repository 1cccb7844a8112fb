import { DateTime } from "effect"

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
