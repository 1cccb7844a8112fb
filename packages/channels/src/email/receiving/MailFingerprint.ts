import { createHash, webcrypto } from "node:crypto"
import { Effect } from "effect"
import type { MailTrace } from "./MailTrace.js"

/** A mail for the recipients of one organization. */
export interface Fingerprinted {
  readonly mailFrom: string
  readonly recipients: ReadonlyArray<string>
  readonly messageId: string
}

/** SHA-256 of the octets: away from the main thread, for they may be many. */
const digest = (octets: Uint8Array) =>
  Effect.map(
    Effect.promise(() => webcrypto.subtle.digest("SHA-256", octets)),
    (hash) => Buffer.from(hash).toString("hex")
  )

/**
 * What says that a mail is one that was here before. A sender that did not hear our 250 tries again, and relays may
 * write on it anew what they write on the way. A mail without a `Message-ID` is the same only to the last octet: two
 * that say the same may well be two.
 */
export const contentHash = (raw: Buffer, { messageId, untraced }: MailTrace): Effect.Effect<string> => {
  if (messageId === "") return digest(raw)
  const headers = untraced.slice(0, -1)
  const body = untraced.at(-1) ?? new Uint8Array()
  return Effect.map(Effect.all([digest(Buffer.concat(headers)), digest(body)]), (hashes) => hashes.join())
}

/** The fingerprint (SHA-256, base 16) of a mail for these recipients, whatever their order. */
export const mailFingerprint = (content: string, { mailFrom, messageId, recipients }: Fingerprinted): string =>
  createHash("sha256")
    .update(JSON.stringify([mailFrom, recipients.map((address) => address.toLowerCase()).sort(), messageId, content]))
    .digest("hex")
