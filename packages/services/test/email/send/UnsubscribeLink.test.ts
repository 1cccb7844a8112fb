import { assert, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { parseUnsubscribeToken, unsubscribeToken } from "@switchboard/services/email/send/UnsubscribeLink"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32))))
)
const messageId = MessageId.make("0192f0c1-2345-7abc-8def-0123456789ff")
const organizationId = OrganizationId.make("0192f0c1-2345-7abc-8def-0123456789ab")
const other = "0192f0c1-2345-7abc-8def-0123456789ac"

it.layer(Live)("An unsubscribe link", (it) => {
  it.effect("names its recipient, and a changed one is rejected", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const subject = { messageId, organizationId, recipient: "A.b+c=d/e{f}@example.org" }
      const token = unsubscribeToken(signatures, subject)
      assert.strictEqual(encodeURIComponent(token), token)
      assert.deepStrictEqual(Option.getOrThrow(parseUnsubscribeToken(signatures, token)), subject)
      const bo = Buffer.from("bo@example.org").toString("base64url")
      const parts = token.split(".")
      const feedback = signatures.sign("feedback-id", parts.slice(0, 3).join("."))
      for (const changed of [
        "",
        "a.b.c.d",
        token.toUpperCase(),
        `${token}.x`,
        token.slice(0, -1),
        token.replace(organizationId, other),
        token.replace(messageId, other),
        [...parts.slice(0, 2), bo, parts[3]].join("."),
        [...parts.slice(0, 3), feedback].join(".")
      ]) {
        assert.isTrue(Option.isNone(parseUnsubscribeToken(signatures, changed)), changed)
      }
    })
  )
})
