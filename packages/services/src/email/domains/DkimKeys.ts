import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"
import type { DkimSelector } from "@switchboard/domain/email/domains/DomainRecords"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { Effect, Redacted } from "effect"
import type { SecretBox } from "../../SecretBox.js"

/** What private keys are sealed for. */
export const dkimPurpose = "dkim-key"

/** What a selector's key belongs to: another selector's opens nothing in its place. */
export const dkimOwner = (id: EmailDomainId, selector: DkimSelector): string => `${id}/${selector}`

/** One half of a pair for the world, the other for a `SecretBox`. */
export interface DkimKeyPair {
  /** SubjectPublicKeyInfo in base64, as a `p=` of DKIM has it. */
  readonly publicKey: string
  /** PKCS #8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
}

const generate = promisify(generateKeyPair)

/** A fresh pair, made outside the main thread. Receivers take no RSA key longer than this one for granted. */
export const makeDkimKey: Effect.Effect<DkimKeyPair> = Effect.map(
  Effect.promise(() =>
    generate("rsa", {
      modulusLength: 2048,
      publicKeyEncoding: { type: "spki", format: "der" },
      privateKeyEncoding: { type: "pkcs8", format: "pem" }
    })
  ),
  ({ privateKey, publicKey }) => ({
    publicKey: publicKey.toString("base64"),
    privateKey: Redacted.make(privateKey)
  })
)

/** A private key as it is kept. */
export const sealDkimKey = (
  box: typeof SecretBox.Service,
  id: EmailDomainId,
  selector: DkimSelector,
  { privateKey }: DkimKeyPair
): Uint8Array => box.seal(dkimPurpose, dkimOwner(id, selector), privateKey)
