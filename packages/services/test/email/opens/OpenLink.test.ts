import { assert, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { openToken, parseOpenToken } from "@switchboard/services/email/opens/OpenLink"
import { trackedHtml } from "@switchboard/services/email/opens/TrackedHtml"
import { MasterKey, Signatures } from "@switchboard/services/Signatures"
import { Effect, Layer, Option, Redacted } from "effect"

const Live = Signatures.Live.pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32))))
)
const messageId = MessageId.make("0192f0c1-2345-7abc-8def-0123456789ff")
const organizationId = OrganizationId.make("0192f0c1-2345-7abc-8def-0123456789ab")
const other = "0192f0c1-2345-7abc-8def-0123456789ac"
const mail = { messageId, organizationId, place: 12 }

it.layer(Live)("The tracking image", (it) => {
  it.effect("has a signed address, and a changed one is rejected", () =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const token = openToken(signatures, mail)
      assert.strictEqual(encodeURIComponent(token), token)
      assert.deepStrictEqual(Option.getOrThrow(parseOpenToken(signatures, token)), mail)
      const parts = token.split(".")
      const unsubscribe = signatures.sign("unsubscribe", parts.slice(0, 3).join("."))
      for (const changed of [
        "",
        "a.b.c.d",
        token.toUpperCase(),
        `${token}.x`,
        token.slice(0, -1),
        token.replace(organizationId, other),
        token.replace(messageId, other),
        [...parts.slice(0, 2), "11", parts[3]].join("."),
        [...parts.slice(0, 3), unsubscribe].join(".")
      ]) {
        assert.isTrue(Option.isNone(parseOpenToken(signatures, changed)), changed)
      }
    })
  )

  it.effect.each<readonly [string, string, string]>([
    ["html without a body", "<p>Hello</p>", "<p>Hello</p>|"],
    ["a page", "<html><body><p>Hello</p></body></html>", "<html><body><p>Hello</p>|</body></html>"],
    ["a page in capitals", "<BODY>Hello</BODY >\n", "<BODY>Hello|</BODY >\n"],
    [
      "a page with a body tag in a comment",
      "<body><!-- </body> --><p>Hello</p></body>",
      "<body><!-- </body> --><p>Hello</p>|</body>"
    ],
    ["text with replacement patterns", "<p>$& $1</p>", "<p>$& $1</p>|"],
    ["no html", "", ""]
  ])("is inserted at the end of %s", ([_, html, expected]) =>
    Effect.gen(function* () {
      const signatures = yield* Signatures
      const tracked = trackedHtml(signatures, "https://mail.example.com", html, mail)
      const image = `<img src="https://mail.example.com/v1/email/open?token=${openToken(signatures, mail)}" width="1" height="1" alt="">`
      assert.strictEqual(
        tracked,
        expected.replace("|", () => image)
      )
    })
  )
})
