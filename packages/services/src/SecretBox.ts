import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual
} from "node:crypto"
import { Context, Data, Effect, Layer, Option, Redacted } from "effect"

/** The installation's secret, at least 32 bytes. All signatures and encryption keys are derived from it. */
export class MasterKey extends Context.Tag("services/MasterKey")<MasterKey, Redacted.Redacted<Uint8Array>>() {}

/** The master key before the current one: it verifies signatures and decrypts secrets, and makes none. */
export class PreviousMasterKey extends Context.Reference<PreviousMasterKey>()("services/PreviousMasterKey", {
  defaultValue: Option.none<Redacted.Redacted<Uint8Array>>
}) {}

/** The keys that are accepted, the current one first. */
const acceptedMasterKeys = Effect.zipWith(
  MasterKey,
  PreviousMasterKey,
  (current, previous) => [current, ...Option.toArray(previous)] as const
)

/** Signs values that leave the service and are verified when they return, such as links and addresses. */
export class Signatures extends Context.Tag("services/Signatures")<
  Signatures,
  {
    /** A short signature of a text for one purpose: HMAC-SHA256, 20 hexadecimal characters. */
    readonly sign: (purpose: string, text: string) => string
    /** Verifies a signature of the current or the previous key in constant time. */
    readonly verify: (purpose: string, text: string, signature: string) => boolean
  }
>() {
  static readonly Live = Layer.effect(
    Signatures,
    Effect.map(acceptedMasterKeys, ([current, ...previous]) => {
      const signer = (key: Redacted.Redacted<Uint8Array>) => (purpose: string, text: string) =>
        createHmac("sha256", Redacted.value(key)).update(`${purpose}\0${text}`).digest("hex").slice(0, 20)
      const sign = signer(current)
      const signers = [sign, ...previous.map(signer)]
      const verify = (purpose: string, text: string, signature: string) => {
        const given = Buffer.from(signature)
        return signers.some((one) => {
          const expected = Buffer.from(one(purpose, text))
          return expected.length === given.length && timingSafeEqual(expected, given)
        })
      }
      return { sign, verify }
    })
  )
}

/** A stored secret can't be decrypted: it was encrypted under an unknown master key, or was modified. */
export class SecretUnreadable extends Data.TaggedError("SecretUnreadable")<{ readonly message: string }> {}

const algorithm = "aes-256-gcm"
const version = 1
const keyIdLength = 4
const nonceLength = 12
const tagLength = 16
const headerLength = 1 + keyIdLength + nonceLength

/**
 * Encrypts stored secrets: AES-256-GCM under a key derived from `MASTER_KEY`. The ciphertext begins with a format
 * version and the key's id, by which secrets under the previous key are recognized. Purpose and owner are authenticated
 * data: a ciphertext copied to another row can't be decrypted.
 */
export class SecretBox extends Context.Tag("services/SecretBox")<
  SecretBox,
  {
    /** Encrypts a text for a purpose ("webhook-secret") and the id of its owner. */
    readonly seal: (purpose: string, owner: string, secret: Redacted.Redacted<string>) => Uint8Array
    /** Decrypts a ciphertext of the same purpose and owner. */
    readonly open: (
      purpose: string,
      owner: string,
      sealed: Uint8Array
    ) => Effect.Effect<Redacted.Redacted<string>, SecretUnreadable>
    /** The id of the current key, which begins at the second octet of its ciphertexts. */
    readonly keyId: Uint8Array
  }
>() {
  static readonly Live = Layer.effect(
    SecretBox,
    Effect.map(acceptedMasterKeys, ([currentKey, ...previousKeys]) => {
      const derive = (masterKey: Redacted.Redacted<Uint8Array>) => {
        const key = Buffer.from(hkdfSync("sha256", Redacted.value(masterKey), "", "switchboard/secret-box", 32))
        return { key, keyId: createHash("sha256").update(key).digest().subarray(0, keyIdLength) }
      }
      const current = derive(currentKey)
      const accepted = [current, ...previousKeys.map(derive)]
      /** The key that a ciphertext names. */
      const keyOf = (sealed: Uint8Array) =>
        accepted.find(({ keyId }) => keyId.equals(sealed.subarray(1, 1 + keyIdLength)))
      const bound = (purpose: string, owner: string) => Buffer.from(`${purpose}\0${owner}`)
      const unreadable = new SecretUnreadable({
        message: "A stored secret can't be decrypted: check that MASTER_KEY is the key that it was stored with"
      })
      return {
        seal: (purpose, owner, secret) => {
          const nonce = randomBytes(nonceLength)
          const cipher = createCipheriv(algorithm, current.key, nonce).setAAD(bound(purpose, owner))
          const text = Buffer.concat([cipher.update(Redacted.value(secret), "utf8"), cipher.final()])
          return Buffer.concat([Buffer.from([version]), current.keyId, nonce, text, cipher.getAuthTag()])
        },
        open: (purpose, owner, sealed) =>
          Effect.try({
            try: () => {
              const bytes = Buffer.from(sealed)
              const decipher = createDecipheriv(
                algorithm,
                (keyOf(bytes) ?? current).key,
                bytes.subarray(1 + keyIdLength, headerLength)
              )
                .setAAD(bound(purpose, owner))
                .setAuthTag(bytes.subarray(-tagLength))
              const text = Buffer.concat([decipher.update(bytes.subarray(headerLength, -tagLength)), decipher.final()])
              return Redacted.make(text.toString("utf8"))
            },
            catch: () => unreadable
          }),
        keyId: current.keyId
      }
    })
  )
}
