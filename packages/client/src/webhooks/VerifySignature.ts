import { Array, Effect, Either, Encoding, Option, Redacted } from "effect"
import { WebhookSecretError, WebhookSignatureError } from "./WebhookError.js"

const secretPrefix = "whsec_"

/** The minimum of Standard Webhooks. */
const minSecretBytes = 24

/** Imports the key of a secret: `whsec_` and the bytes in base64. */
const importKey = (secret: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    const text = Redacted.value(secret)
    const bytes = Either.getOrNull(Encoding.decodeBase64(text.slice(secretPrefix.length)))
    if (!text.startsWith(secretPrefix) || bytes === null || bytes.length < minSecretBytes) {
      return yield* new WebhookSecretError({
        message: `The secret must be ${secretPrefix} and at least ${minSecretBytes} bytes in base64`
      })
    }
    const algorithm = { name: "HMAC", hash: "SHA-256" }
    return yield* Effect.promise(() => crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]))
  })

/** The bytes of a signature with version 1. Other versions are ignored. */
const signatureBytes = (signature: string): Option.Option<Uint8Array> =>
  signature.startsWith("v1,") ? Either.getRight(Encoding.decodeBase64(signature.slice("v1,".length))) : Option.none()

/**
 * Fails unless one of the signatures is that of the content by one of the secrets (Standard Webhooks). WebCrypto compares
 * them in constant time.
 */
export const verifySignature = (
  secrets: ReadonlyArray<Redacted.Redacted<string>>,
  signatures: ReadonlyArray<string>,
  content: Uint8Array
) =>
  Effect.gen(function* () {
    if (secrets.length === 0) return yield* new WebhookSecretError({ message: "No secret is given" })
    const keys = yield* Effect.forEach(secrets, importKey)
    const pairs = Array.cartesian(keys, Array.filterMap(signatures, signatureBytes))
    const matches = yield* Effect.exists(pairs, ([key, signature]) =>
      Effect.promise(() => crypto.subtle.verify("HMAC", key, signature, content))
    )
    if (!matches) {
      return yield* new WebhookSignatureError({
        message: "No signature matches: the secret is of another endpoint, or the body is not the one that was sent"
      })
    }
  })
