import { createHmac, randomBytes } from "node:crypto"
import { Clock, Duration, Effect, Record, Redacted, Schema } from "effect"
import { type SecretBox, SecretUnreadable } from "../../SecretBox.js"
import type { WebhookPost } from "./WebhookTransport.js"

/** The signed content (Standard Webhooks): the event's id, the attempt's time in seconds, and the exact body. */
interface SignedContent {
  readonly id: string
  readonly timestamp: number
  readonly body: string
}

const prefix = "whsec_"

/** Generates a secret: `whsec_` and 32 random bytes in base64. */
export const makeWebhookSecret = Effect.sync(() => Redacted.make(prefix + randomBytes(32).toString("base64")))

/**
 * The value of the header `webhook-signature`: `v1,` and the signature for each secret, separated by spaces. Two secrets
 * are valid during a rotation.
 */
export const signWebhook = (
  { body, id, timestamp }: SignedContent,
  secrets: ReadonlyArray<Redacted.Redacted<string>>
): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(Redacted.value(secret).slice(prefix.length), "base64")
      return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`
    })
    .join(" ")

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

/** The encryption purposes of secrets and headers. The owner is the endpoint. */
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

/** The decrypted headers of an endpoint. Headers that can't be decrypted are omitted and logged. */
export const readableHeaders = (box: typeof SecretBox.Service, id: string, sealed: Uint8Array | null) =>
  Effect.catchTag(openHeaders(box, id, sealed), "SecretUnreadable", ({ message }) =>
    Effect.as(
      Effect.annotateLogs(Effect.logWarning(`The headers of a webhook endpoint: ${message}`), "endpointId", id),
      {}
    )
  )

/** The headers without their values, which may be credentials. */
export const hideHeaders = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Record.map(headers, () => "…")

/** Encrypts the headers of an endpoint; null if there are none. */
export const sealHeaders = (
  box: typeof SecretBox.Service,
  id: string,
  headers: Readonly<Record<string, string>> | null = null
) =>
  headers === null || Object.keys(headers).length === 0
    ? null
    : box.seal(headersPurpose, id, Redacted.make(JSON.stringify(headers)))

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
