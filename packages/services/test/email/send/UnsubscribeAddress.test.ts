import { assert, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { parseUnsubscribeAddress, unsubscribeAddress } from "@switchboard/services/email/send/UnsubscribeAddress"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(Layer.provide(Layer.succeed(MasterKey, Redacted.make(new Uint8Array(32).fill(7)))))
const messageId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b")
const otherId = MessageId.make("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5c")
const [ada, bob] = ["Ada@example.com", "bob@example.com"]

it.layer(Live)("An unsubscribe address", (it) => {
  it.effect("names one recipient of its message, ignoring case, in a local part of at most 64 octets", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const address = unsubscribeAddress(signatures, messageId, ada, "mail.example.com")
      assert.isAtMost(address.indexOf("@"), 64)
      for (const one of [address, address.toUpperCase()]) {
        const found = Option.getOrThrow(parseUnsubscribeAddress(signatures, one))
        assert.strictEqual(found.messageId, messageId)
        assert.deepStrictEqual([found.isFor(ada), found.isFor(bob)], [true, false])
      }
    })
  )

  it.effect("names no recipient if its message id, purpose or signature is changed", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const address = unsubscribeAddress(signatures, messageId, ada, "example.com")
      const isForAda = (text: string) =>
        Option.exists(parseUnsubscribeAddress(signatures, text), ({ isFor }) => isFor(ada))
      assert.isTrue(isForAda(address))
      for (const one of [
        address.replace(messageId, otherId),
        address.replace("u+", "b+"),
        address.replace("bounce.", ""),
        `u+${messageId}.${signatures.sign("return-path", messageId)}@bounce.example.com`,
        `u+${messageId}.${signatures.sign("return-path", `${messageId}.${ada}`)}@bounce.example.com`,
        `u+${messageId}.${"0".repeat(20)}@bounce.example.com`,
        `x${address}`,
        ""
      ]) {
        assert.isFalse(isForAda(one), one)
      }
    })
  )
})
