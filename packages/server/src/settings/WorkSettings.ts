import { defaultRetrySchedule, defaultWebhookRetrySchedule } from "@switchboard/domain/RetrySchedule"
import { Duration } from "effect"
import { parsed, setting, wholeNumber } from "./Setting.js"
import { duration, networks, schedule, withDefault } from "./SettingValues.js"

/** Concurrency, leases and retries of the worker. */
export const workSettings = {
  // The default of Postfix's default_destination_concurrency_limit.
  workerConcurrency: setting(
    "WORKER_CONCURRENCY",
    {
      type: "number",
      unit: "deliveries",
      default: "20",
      meaning: "maximum SMTP connections of one process, each with a mail in progress and the next one"
    },
    withDefault(wholeNumber(1, 1000), 20)
  ),
  leaseDuration: setting(
    "LEASE_DURATION",
    {
      type: "duration",
      default: "60 seconds",
      meaning: "how long a worker leases a message; after that another worker may attempt it"
    },
    withDefault(parsed(duration), Duration.seconds(60))
  ),
  retrySchedule: setting(
    "RETRY_SCHEDULE",
    {
      type: "durations",
      default: "30 seconds, 2 minutes, 10 minutes, 30 minutes, 1 hour, 2 hours, 4 hours, 8 hours",
      meaning: "delays before each retry of a deferred message"
    },
    withDefault(schedule, [...defaultRetrySchedule])
  ),
  shutdownGrace: setting(
    "SHUTDOWN_GRACE",
    { type: "duration", default: "25 seconds", meaning: "how long a stopping process waits for work in progress" },
    withDefault(parsed(duration), Duration.seconds(25))
  ),
  webhookRetrySchedule: setting(
    "WEBHOOK_RETRY_SCHEDULE",
    {
      type: "durations",
      default: "5 seconds, 5 minutes, 30 minutes, 2 hours, 5 hours, 10 hours, 14 hours, 20 hours, 24 hours",
      meaning: "delays before each retry of a webhook"
    },
    withDefault(schedule, [...defaultWebhookRetrySchedule])
  ),
  networkAllow: setting(
    "NETWORK_ALLOW",
    {
      type: "CIDRs",
      default: "none",
      meaning: "private networks that webhooks may reach, also over http, comma-separated"
    },
    withDefault(networks, [])
  )
}
