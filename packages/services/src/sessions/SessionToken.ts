import { hash, randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"

/** 256 bits, as 43 characters that need no escape in a cookie or a URL. */
const tokenPattern = /^[\w-]{43}$/

/** Generates the token of a session or of a log-in link. */
export const freshToken = Effect.sync(() => Redacted.make(randomBytes(32).toString("base64url")))

/** Whether a text has the form of a token. */
export const isToken = (token: Redacted.Redacted<string>) => tokenPattern.test(Redacted.value(token))

/** The SHA-256 (hex) of a token. The token itself is never stored. */
export const tokenHash = (token: Redacted.Redacted<string>) => hash("sha256", Redacted.value(token), "hex")
