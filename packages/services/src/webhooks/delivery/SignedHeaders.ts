import { Clock, Effect, type Redacted } from "effect"
import { signWebhook } from "./WebhookSignature.js"

/** The headers of an event (Standard Webhooks), signed with each secret. */
export const signedHeaders = (
  { body, id }: { readonly id: string; readonly body: string },
  secrets: ReadonlyArray<Redacted.Redacted<string>>
) =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const timestamp = Math.floor(now / 1000)
    return {
      "content-type": "application/json",
      "user-agent": "Switchboard-Webhooks/1.0",
      "webhook-id": id,
      "webhook-timestamp": String(timestamp),
      "webhook-signature": signWebhook({ id, timestamp, body }, secrets)
    }
  })
