import { BigDecimal, Duration } from "effect"
import { parsed, secretSetting, setting, wholeNumber } from "./Setting.js"
import { decimal, duration, url, withDefault } from "./SettingValues.js"

/** Deduplication, rate limits and cost of sends. */
export const sendingSettings = {
  dedupeWindow: setting(
    "DEDUPE_WINDOW",
    {
      type: "duration",
      default: "60 seconds",
      meaning: "how long an identical send without an idempotency key returns the earlier message; 0 seconds: off"
    },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  rateLimitRequests: setting(
    "RATE_LIMIT_REQUESTS",
    {
      type: "number",
      unit: "requests per second",
      default: "100",
      meaning: "requests per second of one organization, in bursts up to twice that; 0: no limit"
    },
    withDefault(wholeNumber(0, 1_000_000), 100)
  ),
  rateLimitSends: setting(
    "RATE_LIMIT_SENDS",
    {
      type: "number",
      unit: "messages per second",
      default: "50",
      meaning: "new messages per second of one organization, in bursts up to twice that; 0: no limit"
    },
    withDefault(wholeNumber(0, 1_000_000), 50)
  ),
  rateLimitFailures: setting(
    "RATE_LIMIT_FAILURES",
    {
      type: "number",
      unit: "failures per second",
      default: "10",
      meaning: "failed authentications per second of one address, in bursts up to twice that; 0: no limit"
    },
    withDefault(wholeNumber(0, 1_000_000), 10)
  ),
  redisUrl: secretSetting(
    "REDIS_URL",
    { type: "URL", default: "memory", meaning: "Redis in which several processes share the rate limits" },
    url(["redis:", "rediss:"])
  ),
  emailUnitCost: setting(
    "EMAIL_UNIT_COST",
    {
      type: "decimal",
      unit: "currency per recipient",
      default: "0",
      meaning: "cost of one recipient, in the organization's currency"
    },
    withDefault(decimal, BigDecimal.unsafeFromNumber(0))
  )
}
