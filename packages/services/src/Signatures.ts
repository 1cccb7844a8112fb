import { createHmac, timingSafeEqual } from "node:crypto"
import { Context, Effect, Layer, Redacted } from "effect"

/** The installation's secret, at least 32 bytes. All signatures and encryption keys are derived from it. */
export class MasterKey extends Context.Tag("services/MasterKey")<MasterKey, Redacted.Redacted<Uint8Array>>() {}

/** Signs values that leave the service and are verified when they return, such as links and addresses. */
export class Signatures extends Context.Tag("services/Signatures")<
  Signatures,
  {
    /** A short signature of a text for one purpose: HMAC-SHA256, 20 hexadecimal characters. */
    readonly sign: (purpose: string, text: string) => string
    /** Verifies a signature in constant time. */
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
