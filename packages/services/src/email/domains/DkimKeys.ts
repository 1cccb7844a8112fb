import { generateKeyPair } from "node:crypto"
import { promisify } from "node:util"
import type { DkimSelector } from "@switchboard/domain/email/domains/DomainRecords"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import { Effect, GlobalValue, Redacted } from "effect"
import type { SecretBox } from "../../SecretBox.js"

/** The encryption purpose of private keys. */
export const dkimPurpose = "dkim-key"

/** The encryption owner of a selector's key: a key can't be decrypted as another selector's. */
export const dkimOwner = (id: EmailDomainId, selector: DkimSelector): string => `${id}/${selector}`

/** A DKIM key pair. */
export interface DkimKeyPair {
  /** SubjectPublicKeyInfo in base64, the value of `p=` in a DKIM record. */
  readonly publicKey: string
  /** PKCS #8, PEM. */
  readonly privateKey: Redacted.Redacted<string>
}

const generate = promisify(generateKeyPair)

/**
 * Generates an RSA key pair outside the main thread. 2048 bits is the largest size that every receiver supports
 * (RFC 6376 section 3.3.3).
 */
export const generateDkimKey: Effect.Effect<DkimKeyPair> = Effect.map(
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

/** A new key pair. No setting changes it: tests take prepared pairs, since the generation takes long. */
export const makeDkimKey = GlobalValue.globalValue("services/makeDkimKey", () => generateDkimKey)

/** The encrypted form of a private key. */
export const sealDkimKey = (
  box: typeof SecretBox.Service,
  id: EmailDomainId,
  selector: DkimSelector,
  { privateKey }: DkimKeyPair
): Uint8Array => box.seal(dkimPurpose, dkimOwner(id, selector), privateKey)
