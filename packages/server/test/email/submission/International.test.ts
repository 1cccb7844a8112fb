import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { LiveService, messageOf, relayed, settled } from "../../LiveService.js"
import { smtpSinkWithoutUtf8 } from "../../SmtpSink.js"
import { ReceivingService, verifiedDomain } from "../ReceivingService.js"
import { connection, idOf, rawMail, SubmissionService, session, transaction } from "./SubmissionService.js"

/** Submits a mail with SMTPUTF8; returns the reply to the final dot. */
const submitUtf8 = (recipient: string, lines: ReadonlyArray<string>, mailFrom = "info@bücher.test") =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* session
      assert.match(yield* client.sendLine(`MAIL FROM:<${mailFrom}> BODY=8BITMIME SMTPUTF8`), /^250 /)
      assert.match(yield* client.sendLine(`RCPT TO:<${recipient}>`), /^250 /)
      yield* client.sendLine("DATA")
      return yield* client.sendLine([...lines, "."].join("\r\n"))
    })
  )

/** A relay without SMTPUTF8. */
class OldRelay extends Context.Tag("test/OldRelay")<OldRelay, Effect.Effect.Success<typeof smtpSinkWithoutUtf8>>() {}

const Live = SubmissionService.layer((settings) => ReceivingService.layer({ ...settings, SMTP_CONFIRMATION: "accept" }))

const WithOldRelay = Layer.unwrapScoped(
  Effect.map(smtpSinkWithoutUtf8, (relay) =>
    Layer.merge(
      SubmissionService.layer((settings) =>
        LiveService.layer({ ...settings, SMTP_URL: `smtp://127.0.0.1:${relay.port}` })
      ),
      Layer.succeed(OldRelay, relay)
    )
  )
)

const utf8Mail = (sender: string, messageId: string) => [
  `From: Jörg <${sender}>`,
  "To: Zoë <zoe@kønigsgården.test>",
  `Message-ID: <${messageId}>`,
  "Subject: Grüße",
  "X-Switchboard-Tags: größe, =?UTF-8?Q?f=C3=BCr?=",
  "",
  "Grüße"
]

describe("Internationalized mail (RFC 6531)", () => {
  layer(Live, { excludeTestServices: true })("through a relay with SMTPUTF8", (it) => {
    it.effect("goes out as it came, from a domain and to a recipient with UTF-8", () =>
      Effect.gen(function* () {
        yield* verifiedDomain("xn--bcher-kva.test")
        const offers: Array<string> = []
        const client = yield* connection
        client.onLine((line) => offers.push(line.slice(4)))
        yield* client.sendLine("EHLO client.test")
        assert.include(offers, "SMTPUTF8")

        const lines = utf8Mail("info@bücher.test", "utf8@shop.test")
        const id = idOf(yield* submitUtf8("zoe@kønigsgården.test", lines))
        const message = yield* settled(id, "delivered")
        const recipient = "zoe@xn--knigsgrden-65a6t.test"
        assert.deepInclude(message, { tags: ["größe", "für"] })
        assert.deepInclude(message.content, { from: "Jörg <info@xn--bcher-kva.test>", subject: "Grüße" })
        assert.deepInclude(message.emailMetadata, { to: [recipient], names: { [recipient]: "Zoë" }, smtpUtf8: true })
        const mail = yield* relayed(({ parsed }) => parsed.messageId === "<utf8@shop.test>")
        assert.isTrue(mail.smtpUtf8)
        // The library of the relay decodes A-labels.
        assert.deepStrictEqual(mail.rcptTo, ["zoe@kønigsgården.test"])
        for (const line of lines.slice(0, 4)) assert.include(mail.raw, `${line}\r\n`)
      }).pipe(Effect.scoped)
    )

    it.effect("is refused if a local part has UTF-8, as by the API", () =>
      Effect.gen(function* () {
        const { sender } = yield* LiveService
        const client = yield* session
        assert.match(yield* client.sendLine("MAIL FROM:<jörg@shop.test> SMTPUTF8"), /^553 5\.6\.7 The sender must have/)
        assert.match(yield* client.sendLine("MAIL FROM:<a@b.test> SMTPUTF8=1"), /^501 /)
        assert.match(yield* client.sendLine("MAIL FROM:<a@b.test> SMTPUTF8"), /^250 /)
        assert.match(yield* client.sendLine("RCPT TO:<jörg@world.test>"), /^553 5\.6\.7 The recipient must have/)
        assert.match(
          yield* submitUtf8("ada@world.test", utf8Mail("jörg@bücher.test", "author@shop.test")),
          /^550 5\.6\.7 The address in From must have only ASCII letters before the @/
        )
        // A Reply-To that the API does not accept goes out, but is not among the content.
        const reply = rawMail(sender, "Reply-To: Jörg <jörg@shop.test>, ada@shop.test")
        const message = yield* settled(idOf(yield* submitUtf8("ada@world.test", reply)), "delivered")
        assert.deepStrictEqual(message.content.replyTo, ["ada@shop.test"])
      }).pipe(Effect.scoped)
    )
  })

  layer(WithOldRelay, { excludeTestServices: true })("through a relay without SMTPUTF8", (it) => {
    it.effect("fails with the reason if the program requested SMTPUTF8 and the header has UTF-8", () =>
      Effect.gen(function* () {
        const { sender } = yield* LiveService
        const { mails } = yield* OldRelay
        const requested = yield* submitUtf8("zoe@world.test", utf8Mail(sender, "requested@shop.test"))
        const failed = yield* settled(idOf(requested), "failed")
        assert.match(failed.lastError, /5\.6\.7 .*SMTPUTF8/)

        // Without the request, and without need, the mail goes out.
        const plain = rawMail(sender, "Message-ID: <plain@shop.test>")
        yield* settled(idOf(yield* submitUtf8("zoe@world.test", plain)), "delivered")
        const undeclared = idOf(yield* transaction(["zoe@world.test"], utf8Mail(sender, "undeclared@shop.test")))
        yield* settled(undeclared, "delivered")
        assert.notProperty((yield* messageOf(undeclared)).emailMetadata, "smtpUtf8")
        assert.deepStrictEqual(
          mails.map(({ parsed, smtpUtf8 }) => [parsed.messageId, smtpUtf8]),
          [
            ["<plain@shop.test>", false],
            ["<undeclared@shop.test>", false]
          ]
        )
      })
    )
  })
})
