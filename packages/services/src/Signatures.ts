import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Option, Redacted } from "effect"

/** The installation's secret, at least 32 bytes. All signatures and encryption keys are derived from it. */
export class MasterKey extends Context.Tag("services/MasterKey")<MasterKey, Redacted.Redacted<Uint8Array>>() {}

/** The master key before the current one: it verifies signatures and decrypts secrets, and makes none. */
export class PreviousMasterKey extends Context.Reference<PreviousMasterKey>()("services/PreviousMasterKey", {
  defaultValue: Option.none<Redacted.Redacted<Uint8Array>>
}) {}

/** The keys that are accepted, the current one first. */
export const acceptedMasterKeys = Effect.zipWith(
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
