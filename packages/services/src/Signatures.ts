import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"

/** The installation's secret, 32 bytes or more: everything it signs and encrypts hangs on it. */
export class MasterKey extends Context.Tag("services/MasterKey")<MasterKey, Redacted.Redacted<Uint8Array>>() {}

/** Signs what leaves the house and must be known again when it comes back. */
export class Signatures extends Context.Tag("services/Signatures")<
  Signatures,
  {
    /** A short signature (HMAC-SHA256, 20 base-16 characters) of a text, for one purpose. */
    readonly sign: (purpose: string, text: string) => string
    /** Whether the signature is ours, compared in constant time. */
    readonly verify: (purpose: string, text: string, signature: string) => boolean
  }
>() {
  static readonly Live = Layer.effect(
    Signatures,
    Effect.map(MasterKey, (masterKey) => {
      const sign = (purpose: string, text: string) =>
        createHmac("sha256", Redacted.value(masterKey)).update(`${purpose}\0${text}`).digest("hex").slice(0, 20)
      const verify = (purpose: string, text: string, signature: string) => {
        const expected = Buffer.from(sign(purpose, text))
        const given = Buffer.from(signature)
        return expected.length === given.length && timingSafeEqual(expected, given)
      }
      return { sign, verify }
    })
  )
}
