import { BigDecimal, Duration } from "effect"
import { parsed, setting, wholeNumber } from "./Setting.js"
import { decimal, duration, optional, url, withDefault } from "./SettingValues.js"

/** What is taken for a repetition, how much at a time, and what it costs. */
export const sendingSettings = {
  dedupeWindow: setting(
    "DEDUPE_WINDOW",
    {
      type: "duration",
      default: "60 seconds",
      meaning: "how long the same send without an idempotency key is taken for a repetition; 0 seconds turns it off"
    },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  rateLimitRequests: setting(
    "RATE_LIMIT_REQUESTS",
    {
      type: "number",
      default: "100",
      meaning: "requests a second of one organization, bursts of twice that; 0 is off"
    },
    withDefault(wholeNumber(0, 1_000_000), 100)
  ),
  rateLimitSends: setting(
    "RATE_LIMIT_SENDS",
    {
      type: "number",
      default: "50",
      meaning: "new messages a second of one organization, bursts of twice that; 0 is off"
    },
    withDefault(wholeNumber(0, 1_000_000), 50)
  ),
  rateLimitFailures: setting(
    "RATE_LIMIT_FAILURES",
    {
      type: "number",
      default: "10",
      meaning: "failed authentications a second of one address, bursts of twice that; 0 is off"
    },
    withDefault(wholeNumber(0, 1_000_000), 10)
  ),
  redisUrl: setting(
    "REDIS_URL",
    { type: "URL", default: "memory", meaning: "where several processes share the rate limits" },
    optional(url(["redis:", "rediss:"]))
  ),
  emailUnitCost: setting(
    "EMAIL_UNIT_COST",
    { type: "decimal", default: "0", meaning: "what one recipient costs, in the organization's currency" },
    withDefault(decimal, BigDecimal.unsafeFromNumber(0))
  )
}
