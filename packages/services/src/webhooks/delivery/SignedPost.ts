import { Duration, Effect, Redacted, Schema } from "effect"
import { type SecretBox, SecretUnreadable } from "../../SecretBox.js"
import { signedHeaders } from "./SignedHeaders.js"
import type { WebhookPost } from "./WebhookTransport.js"

/** The encryption purposes of secrets and headers. The owner is the endpoint or the voice agent. */
export const secretPurpose = "webhook-secret"
export const headersPurpose = "webhook-headers"

/** The timeout of an attempt. */
export const attemptTimeout = Duration.seconds(15)

const decodeHeaders = Schema.decodeUnknown(
  Schema.parseJson(Schema.Record({ key: Schema.String, value: Schema.String }))
)

/** The decrypted headers of an endpoint; empty if there are none. */
export const openHeaders = (
  box: typeof SecretBox.Service,
  id: string,
  sealed: Uint8Array | null
): Effect.Effect<Readonly<Record<string, string>>, SecretUnreadable> =>
  sealed === null
    ? Effect.succeed({})
    : Effect.flatMap(box.open(headersPurpose, id, sealed), (text) =>
        Effect.mapError(
          decodeHeaders(Redacted.value(text)),
          () => new SecretUnreadable({ message: "The stored headers can't be read" })
        )
      )

/** An endpoint with its encrypted headers and secrets, newest secret first. */
export interface SigningTarget {
  readonly id: string
  readonly url: string
  readonly headers: Uint8Array | null
  readonly secrets: ReadonlyArray<Uint8Array>
}

/**
 * Builds the request of an attempt, signed with each of the endpoint's secrets. Its `webhook-id` is the event's id at
 * every attempt.
 */
export const signedPost = Effect.fnUntraced(function* (
  box: typeof SecretBox.Service,
  target: SigningTarget,
  event: { readonly id: string; readonly body: string }
): Effect.fn.Return<WebhookPost, SecretUnreadable> {
  const secrets = yield* Effect.forEach(target.secrets, (sealed) => box.open(secretPurpose, target.id, sealed))
  const own = yield* openHeaders(box, target.id, target.headers)
  return {
    url: target.url,
    headers: { ...own, ...(yield* signedHeaders(event, secrets)) },
    body: event.body,
    timeout: attemptTimeout
  }
})
