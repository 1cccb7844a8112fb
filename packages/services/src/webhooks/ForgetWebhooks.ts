import { Effect } from "effect"
import type { Chore } from "../Chore.js"
import { lookEvery, RetentionSettings } from "../retention/RetentionSettings.js"
import { WebhookQueue } from "./WebhookQueue.js"

/** Forgets deliveries and attempts that were kept long enough. */
export const forgetWebhooks: Effect.Effect<Chore, never, RetentionSettings | WebhookQueue> = Effect.gen(function* () {
  const { forget } = yield* WebhookQueue
  const { webhookAttempts } = yield* RetentionSettings
  return {
    what: "Forgetting old webhook deliveries",
    every: lookEvery(webhookAttempts),
    round: forget(webhookAttempts)
  }
})
