import { assert, describe, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { parseReplyAddress, replyAddress } from "@switchboard/services/messages/delivery/ReplyAddress"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))))
const messageId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
const otherId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c")

describe("A reply address", () => {
  it.effect("is known again in whatever case it comes back", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const address = replyAddress(signatures, messageId, "mail.example.com")
      const known = Option.some({ messageId, domain: "mail.example.com" })
      assert.isAtMost(address.indexOf("@"), 64)
      assert.deepStrictEqual(parseReplyAddress(signatures, address), known)
      assert.deepStrictEqual(parseReplyAddress(signatures, address.toUpperCase()), known)
    }).pipe(Effect.provide(Live))
  )

  it.effect("is nobody's but ours", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const address = replyAddress(signatures, messageId, "example.com")
      const [local = "", host = ""] = address.split("@")
      const signature = local.slice(-20)
      const forged = [
        address.replace(messageId, otherId),
        `r+${messageId}.${"0".repeat(20)}@${host}`,
        `r+${messageId}.@${host}`,
        `r+${messageId}@${host}`,
        `r+${messageId}.${signature.slice(0, 19)}@${host}`,
        `r+${messageId}.${signature}0@${host}`,
        `b+${messageId}.${signature}@${host}`,
        `r+${messageId}.${signatures.sign("return-path", messageId)}@${host}`,
        `${local}@`,
        `${local}@example.com@elsewhere.test`,
        `"${local}"@${host}`,
        `x${address}`,
        local,
        ""
      ]
      for (const one of forged) assert.deepStrictEqual(parseReplyAddress(signatures, one), Option.none(), one)
    }).pipe(Effect.provide(Live))
  )
})
