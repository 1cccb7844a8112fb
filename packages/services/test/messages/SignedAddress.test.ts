import { assert, describe, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { replyAddress, returnPath } from "@switchboard/services/messages/delivery/SignedAddress"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))))
const messageId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
const otherId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c")

describe.each([
  { name: "A reply address", kind: replyAddress, other: returnPath, prefix: "r", subdomain: "" },
  { name: "A return path", kind: returnPath, other: replyAddress, prefix: "b", subdomain: "bounce." }
])("$name", ({ kind, other, prefix, subdomain }) => {
  it.effect("is parsed ignoring case", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const message = { messageId, domain: "mail.example.com" }
      const address = kind.make(signatures, message)
      assert.isAtMost(address.indexOf("@"), 64)
      assert.deepStrictEqual(kind.parse(signatures, address), Option.some(message))
      assert.deepStrictEqual(kind.parse(signatures, address.toUpperCase()), Option.some(message))
    }).pipe(Effect.provide(Live))
  )

  it.effect("is not parsed if it is forged", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const message = { messageId, domain: "example.com" }
      const address = kind.make(signatures, message)
      const [local = "", host = ""] = address.split("@")
      const signature = local.slice(-20)
      const [otherLocal = ""] = other.make(signatures, message).split("@")
      const forged = [
        address.replace(messageId, otherId),
        `${prefix}+${messageId}.${"0".repeat(20)}@${host}`,
        `${prefix}+${messageId}.@${host}`,
        `${prefix}+${messageId}@${host}`,
        `${prefix}+${messageId}.${signature.slice(0, 19)}@${host}`,
        `${prefix}+${messageId}.${signature}0@${host}`,
        `${prefix}+${messageId}.${otherLocal.slice(-20)}@${host}`,
        `${otherLocal.slice(0, 1)}+${messageId}.${signature}@${host}`,
        `${local}@${subdomain}`,
        `${local}@${host}@elsewhere.test`,
        `"${local}"@${host}`,
        `x${address}`,
        local,
        ""
      ]
      for (const one of forged) assert.deepStrictEqual(kind.parse(signatures, one), Option.none(), one)
    }).pipe(Effect.provide(Live))
  )
})

it.effect("uses the host bounce.<domain> for a return path", () =>
  Effect.gen(function* () {
    const signatures = yield* Signatures
    const address = returnPath.make(signatures, { messageId, domain: "example.com" })
    assert.match(address, /@bounce\.example\.com$/)
    for (const host of ["@example.com", "@bouncexexample.com"])
      assert.deepStrictEqual(returnPath.parse(signatures, address.replace(/@.*/, host)), Option.none())
  }).pipe(Effect.provide(Live))
)
