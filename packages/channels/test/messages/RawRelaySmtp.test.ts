import { assert, describe, it } from "@effect/vitest"
import { RelayRoutes } from "@switchboard/channels/messages/RelayRoutes"
import { RawRelaySmtp } from "@switchboard/channels/messages/SmtpTransport"
import { RelaySettings } from "@switchboard/channels/smtp/client/SmtpRelay"
import { RawRelay } from "@switchboard/services/email/forwarding/RawRelay"
import { RelayFaults } from "@switchboard/services/messages/delivery/MailTransport"
import { ProviderBreakers } from "@switchboard/services/messages/delivery/ProviderBreaker"
import { Context, Effect, Either, Layer } from "effect"
import { onlyRelay, relayAt, shortTimeouts, withHeldLease } from "../Fixtures.js"
import { type Script, scriptedRelay } from "../ScriptedRelay.js"
import { smtpSink } from "../SmtpSink.js"

const relayTo = (port: number) =>
  Layer.build(RawRelaySmtp.pipe(Layer.provide(RelayRoutes), Layer.provide(ProviderBreakers.Default))).pipe(
    Effect.map(Context.get(RawRelay)),
    Effect.map(({ send }) => ({ send: withHeldLease(send) })),
    Effect.provideService(RelaySettings, onlyRelay(relayAt(port, { timeouts: shortTimeouts }), 2)),
    Effect.provide(RelayFaults.Unrecorded)
  )

const envelope = { mailFrom: "f+1@bounce.desk.test", rcptTo: "ada@example.org" }
const latin1 = (text: string) => Buffer.from(text, "latin1")

const noRecipients = "503 5.5.1 No valid recipients"

const endings: ReadonlyArray<readonly [string, Script, string]> = [
  ["a refused recipient", { RCPT: "550 5.1.1 No", DATA: noRecipients }, "refused"],
  ["a deferred recipient", { RCPT: "451 4.7.1 Later", DATA: noRecipients }, "deferred"],
  ["a refused mail", { dot: "554 5.7.1 Spam" }, "SendRefused"],
  ["a deferred mail", { dot: "452 4.3.1 Full" }, "SendDeferred"],
  ["a relay that is closing", { MAIL: "421 4.3.2 Closing" }, "ProviderUnavailable"]
]

describe("RawRelaySmtp", () => {
  it.scoped("forwards a mail unchanged, octet by octet", () =>
    Effect.gen(function* () {
      const { mails, port } = yield* smtpSink({ disabledCommands: ["STARTTLS"] })
      const relay = yield* relayTo(port)
      const raws = [
        "Subject:   odd \r\n folding\r\nBcc: kept@example.com\r\n\r\n.\r\n..dots\r\n.",
        "From: a\r\n\r\nGr\xf6\xdfe \x00 \xff\r\n\r\n\r\n",
        "no header at all",
        `Subject: long\r\n\r\n${"x".repeat(200_000)}\r\n`
      ]
      for (const raw of raws) {
        const { replies } = yield* relay.send({ ...envelope, raw: latin1(raw) })
        assert.deepStrictEqual(replies[0]?.verdict, "accepted")
        // Only a missing final CRLF is added.
        assert.strictEqual(mails.at(-1)?.raw.toString("latin1"), raw.endsWith("\r\n") ? raw : `${raw}\r\n`)
      }
      const bodies = mails.map(({ envelope: { mailFrom } }) =>
        mailFrom && typeof mailFrom.args === "object" ? Reflect.get(mailFrom.args, "BODY") : undefined
      )
      assert.deepStrictEqual(bodies, [undefined, "8BITMIME", undefined, undefined])
      assert.deepStrictEqual(
        mails.map(({ envelope: { mailFrom, rcptTo } }) => [
          mailFrom ? mailFrom.address : null,
          rcptTo.map((to) => to.address)
        ]),
        raws.map(() => [envelope.mailFrom, [envelope.rcptTo]])
      )
    })
  )

  for (const [what, script, ending] of endings) {
    it.scoped(`returns ${ending} for ${what}`, () =>
      Effect.gen(function* () {
        const { port } = yield* scriptedRelay(script)
        const relay = yield* relayTo(port)
        const sent = yield* Effect.either(relay.send({ ...envelope, raw: latin1("Subject: Hello\r\n\r\nHello\r\n") }))
        assert.strictEqual(Either.isLeft(sent) ? sent.left._tag : sent.right.replies[0]?.verdict, ending)
      })
    )
  }

  it.scoped("fails with ProviderUnavailable if no relay listens", () =>
    Effect.gen(function* () {
      const relay = yield* relayTo(1)
      const failure = yield* Effect.flip(relay.send({ ...envelope, raw: latin1("Subject: Hello\r\n\r\n") }))
      assert.strictEqual(failure._tag, "ProviderUnavailable")
    })
  )
})
