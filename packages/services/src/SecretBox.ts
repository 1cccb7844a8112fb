import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto"
import { Context, Data, Effect, Layer, Redacted } from "effect"
import { acceptedMasterKeys } from "./Signatures.js"

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
