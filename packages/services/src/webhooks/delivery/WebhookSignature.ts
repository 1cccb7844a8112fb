import { createHmac, randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"

/** The signed content (Standard Webhooks): the event's id, the attempt's time in seconds, and the exact body. */
export interface SignedContent {
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
