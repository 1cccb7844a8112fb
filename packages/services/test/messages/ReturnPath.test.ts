import { assert, describe, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { parseReturnPath, returnPath } from "@switchboard/services/messages/delivery/ReturnPath"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))))
const messageId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
const otherId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c")

describe("A return path", () => {
  it.effect("is known again in whatever case it comes back", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const address = returnPath(signatures, messageId, "mail.example.com")
      const known = Option.some({ messageId, domain: "mail.example.com" })
      assert.deepStrictEqual(parseReturnPath(signatures, address), known)
      assert.deepStrictEqual(parseReturnPath(signatures, address.toUpperCase()), known)
    }).pipe(Effect.provide(Live))
  )

  it.effect("is nobody's but ours", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const address = returnPath(signatures, messageId, "example.com")
      const [local = "", host = ""] = address.split("@")
      const signature = local.slice(-20)
      const forged = [
        address.replace(messageId, otherId),
        `b+${messageId}.${"0".repeat(20)}@${host}`,
        `b+${messageId}.@${host}`,
        `b+${messageId}@${host}`,
        `b+${messageId}.${signature.slice(0, 19)}@${host}`,
        `b+${messageId}.${signature}0@${host}`,
        `r+${messageId}.${signature}@${host}`,
        `b+${messageId}.${signatures.sign("reply", messageId)}@${host}`,
        `${local}@example.com`,
        `${local}@bounce.`,
        `${local}@bounce.example.com@elsewhere.test`,
        `"${local}"@${host}`,
        `x${address}`,
        local,
        ""
      ]
      for (const one of forged) assert.deepStrictEqual(parseReturnPath(signatures, one), Option.none(), one)
    }).pipe(Effect.provide(Live))
  )
})
