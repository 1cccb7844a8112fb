import { Effect } from "effect"
import { RetentionSettings, retentionInterval } from "../retention/RetentionSettings.js"
import type { ScheduledJob } from "../ScheduledJob.js"
import { WebhookQueue } from "./WebhookQueue.js"

/** Deletes webhook deliveries and attempts after `RETENTION_WEBHOOK_ATTEMPTS`. */
export const deleteExpiredDeliveries: Effect.Effect<ScheduledJob, never, RetentionSettings | WebhookQueue> = Effect.gen(
  function* () {
    const { forget } = yield* WebhookQueue
    const { webhookAttempts } = yield* RetentionSettings
    return {
      what: "Deleting expired webhook deliveries",
      every: retentionInterval(webhookAttempts),
      round: forget(webhookAttempts)
    }
  }
)
