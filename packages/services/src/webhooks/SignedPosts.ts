import { Clock, Duration, Effect, Option, Redacted, Schema } from "effect"
import { SecretBox } from "../SecretBox.js"
import type { WebhookTarget } from "./WebhookQueue.js"
import { signWebhook } from "./WebhookSignature.js"
import type { WebhookPost } from "./WebhookTransport.js"

/** How a secret of an endpoint, and its headers, are sealed. */
export const webhookSecretPurpose = "webhook-secret"
export const webhookHeadersPurpose = "webhook-headers"

/** For everything, from the look-up of the name to the last byte of the answer. */
const timeout = Duration.seconds(15)

const decodeHeaders = Schema.decodeUnknownOption(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.String }))
)

/** Makes requests to endpoints out of what is to be told, signed after Standard Webhooks. */
export class SignedPosts extends Effect.Service<SignedPosts>()("services/SignedPosts", {
  effect: Effect.map(SecretBox, (box) => {
    /** Signs a body with every secret that is valid now. `id` stays the same over all attempts. */
    const sign = Effect.fnUntraced(function* (
      target: Pick<WebhookTarget, "id" | "url" | "headers" | "secrets">,
      id: string,
      body: string
    ) {
      const open = (purpose: string) => (sealed: Uint8Array) => box.open(purpose, target.id, sealed)
      const secrets = yield* Effect.forEach(target.secrets, open(webhookSecretPurpose))
      const own =
        target.headers === null
          ? {}
          : Option.getOrElse(
              decodeHeaders(Redacted.value(yield* open(webhookHeadersPurpose)(target.headers))),
              () => ({})
            )
      const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const post: WebhookPost = {
        url: target.url,
        headers: {
          ...own,
          "content-type": "application/json",
          "user-agent": "Switchboard-Webhooks/1.0",
          "webhook-id": id,
          "webhook-timestamp": String(timestamp),
          "webhook-signature": signWebhook({ id, timestamp, body }, secrets)
        },
        body,
        timeout
      }
      return post
    })
    return { sign } as const
  })
}) {}
