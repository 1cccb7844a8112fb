import { defaultRetrySchedule, defaultWebhookRetrySchedule } from "@switchboard/domain/RetrySchedule"
import { Duration } from "effect"
import { parsed, setting, wholeNumber } from "./Setting.js"
import { duration, networks, schedule, withDefault } from "./SettingValues.js"

/** How much work one process does at a time, and when it is tried again. */
export const workSettings = {
  workerConcurrency: setting(
    "WORKER_CONCURRENCY",
    { type: "number", default: "10", meaning: "deliveries at a time, and SMTP connections, of one process" },
    withDefault(wholeNumber(1, 1000), 10)
  ),
  leaseDuration: setting(
    "LEASE_DURATION",
    { type: "duration", default: "60 seconds", meaning: "how soon the messages of a lost worker are taken over" },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  retrySchedule: setting(
    "RETRY_SCHEDULE",
    {
      type: "durations",
      default: "30 seconds, 2 minutes, 10 minutes, 30 minutes, 1 hour, 2 hours, 4 hours, 8 hours",
      meaning: "the waits before each retry of a deferred message"
    },
    withDefault(schedule, [...defaultRetrySchedule])
  ),
  shutdownGrace: setting(
    "SHUTDOWN_GRACE",
    { type: "duration", default: "25 seconds", meaning: "how long a stopping process lets work end" },
    withDefault(parsed(duration), Duration.seconds(25))
  ),
  webhookRetrySchedule: setting(
    "WEBHOOK_RETRY_SCHEDULE",
    {
      type: "durations",
      default: "5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours, 14 hours, 20 hours, 24 hours",
      meaning: "the waits before a webhook is tried again"
    },
    withDefault(schedule, [...defaultWebhookRetrySchedule])
  ),
  networkAllow: setting(
    "NETWORK_ALLOW",
    {
      type: "CIDRs",
      default: "none",
      meaning: "networks besides the public ones that webhooks may lead to, also over http, with commas"
    },
    withDefault(networks, [])
  )
}
