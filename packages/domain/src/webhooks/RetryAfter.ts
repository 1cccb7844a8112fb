import { DateTime } from "effect"

/** Nobody may put us off for longer. */
const mostSeconds = 86_400

/** A date of RFC 9110 section 5.6.7: with GMT behind it, or in the form of asctime, which has no zone and means it. */
const httpDate =
  /^[A-Z][a-z]+(, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} \d\d:\d\d:\d\d GMT| [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/

/** How many seconds an answer asks us to wait (RFC 9110 section 10.2.3), at most a day; null if it does not say. */
export const retryAfterSeconds = (header: string, now: DateTime.Utc): number | null => {
  const value = header.trim()
  if (/^\d+$/.test(value)) return Math.min(Number(value), mostSeconds)
  if (!httpDate.test(value)) return null
  const at = Date.parse(value.endsWith("GMT") ? value : `${value} GMT`)
  if (Number.isNaN(at)) return null
  return Math.min(Math.max(Math.ceil((at - DateTime.toEpochMillis(now)) / 1000), 0), mostSeconds)
}
