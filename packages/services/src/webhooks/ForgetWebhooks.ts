import { Effect } from "effect"
import type { Chore } from "../Chore.js"
import { WebhookQueue } from "./WebhookQueue.js"

/** Forgets deliveries and attempts that were kept long enough. */
export const forgetWebhooks: Effect.Effect<Chore, never, WebhookQueue> = Effect.map(WebhookQueue, ({ forget }) => ({
  what: "Forgetting old webhook deliveries",
  every: "5 minutes",
  round: forget
}))
