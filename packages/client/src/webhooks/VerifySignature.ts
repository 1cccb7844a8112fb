import { Array, Effect, Either, Encoding, Option, Predicate, Redacted } from "effect"
import { WebhookSecretError, WebhookSignatureError } from "./WebhookError.js"

const secretPrefix = "whsec_"

/** The minimum of Standard Webhooks. */
const minSecretBytes = 24

/** Imports the key of a secret: `whsec_` and the bytes in base64. */
const importKey = (secret: Redacted.Redacted<string>) =>
  Effect.gen(function* () {
    // A program without types can give a secret that is missing or not text.
    const text: unknown = Redacted.isRedacted(secret) ? Redacted.value(secret) : secret
    if (!Predicate.isString(text)) {
      return yield* new WebhookSecretError({
        message: "The secret is not set: pass the secret of the endpoint, whsec_…"
      })
    }
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

/** The keys of the secrets. */
export const importKeys = (secrets: ReadonlyArray<Redacted.Redacted<string>>) =>
  secrets.length === 0 ? new WebhookSecretError({ message: "No secret is given" }) : Effect.forEach(secrets, importKey)

/**
 * Fails unless one of the signatures is that of the content by one of the keys (Standard Webhooks). WebCrypto compares
 * them in constant time.
 */
export const verifySignature = (
  keys: ReadonlyArray<Effect.Effect.Success<ReturnType<typeof importKey>>>,
  signatures: ReadonlyArray<string>,
  content: Uint8Array
) =>
  Effect.gen(function* () {
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
