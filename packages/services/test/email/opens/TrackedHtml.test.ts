import { assert, it } from "@effect/vitest"
import { MessageId } from "@switchboard/domain/messages/Message"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { openToken, trackedHtml } from "@switchboard/services/email/opens/OpenLink"
import { MasterKey, Signatures } from "@switchboard/services/SecretBox"
import { Effect, Layer, Redacted } from "effect"

const Live = Signatures.Live.pipe(
  Layer.provide(Layer.succeed(MasterKey, Redacted.make<Uint8Array>(new Uint8Array(32))))
)
const messageId = MessageId.make("0192f0c1-2345-7abc-8def-0123456789ff")
const organizationId = OrganizationId.make("0192f0c1-2345-7abc-8def-0123456789ab")
const mail = { messageId, organizationId, place: 12 }

it.layer(Live)("The tracking image", (it) => {
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
