import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { relayCertificate, trusting } from "../Certificates.js"
import { outgoing, transportTo } from "../Fixtures.js"
import { scriptedRelay } from "../ScriptedRelay.js"
import { smtpSink } from "../SmtpSink.js"

describe("Opportunistic TLS", () => {
  it.scoped("uses STARTTLS with an untrusted certificate", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink()
      const transport = yield* transportTo(sink.port, { tls: "opportunistic" })
      yield* transport.send(outgoing())
      assert.isTrue(sink.mails[0]?.secure)
    })
  )

  it.scoped("sends without TLS if STARTTLS is not offered", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink({ hideSTARTTLS: true })
      const transport = yield* transportTo(sink.port, { tls: "opportunistic" })
      yield* transport.send(outgoing())
      assert.isFalse(sink.mails[0]?.secure)
    })
  )

  it.scoped("sends without TLS and without AUTH if STARTTLS is refused", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ EHLO: "250-relay.test\r\n250-AUTH PLAIN\r\n250 STARTTLS" })
      const url = `smtp://shop:s3cret@127.0.0.1:${relay.port}`
      const transport = yield* transportTo(relay.port, { tls: "opportunistic", url })
      yield* transport.send(outgoing())
      assert.lengthOf(relay.mails, 1)
      assert.strictEqual(yield* relay.awaitCommand("STARTTLS"), "STARTTLS")
      assert.match(yield* relay.awaitCommand(""), /^MAIL/)
    })
  )
})

describe("Required TLS", () => {
  it.scoped("fails with ProviderUnavailable if STARTTLS is not offered", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink({ disabledCommands: ["STARTTLS"] })
      const transport = yield* transportTo(sink.port, { tls: "require" })
      assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "ProviderUnavailable")
      assert.lengthOf(sink.mails, 0)
    })
  )

  for (const secure of [false, true]) {
    const scheme = secure ? "smtps" : "smtp"
    it.scoped(`fails with ProviderUnavailable for an untrusted certificate (${scheme})`, () =>
      Effect.gen(function* () {
        const sink = yield* smtpSink({ secure })
        const url = `${scheme}://127.0.0.1:${sink.port}`
        const transport = yield* transportTo(sink.port, { tls: "require", url })
        assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "ProviderUnavailable")
        assert.strictEqual((yield* Effect.flip(transport.probe))._tag, "ProviderUnavailable")
        assert.lengthOf(sink.mails, 0)
      })
    )

    it.scoped(`sends and authenticates with a trusted certificate (${scheme})`, () =>
      Effect.gen(function* () {
        const { cert, key } = relayCertificate
        yield* trusting(cert)
        const sink = yield* smtpSink({
          secure,
          cert,
          key,
          onAuth: ({ password, username }, _, callback) =>
            password === "s3cret" ? callback(null, { user: username }) : callback(new Error("No"))
        })
        const url = `${scheme}://shop:s3cret@127.0.0.1:${sink.port}`
        const transport = yield* transportTo(sink.port, { tls: "require", url })
        yield* transport.send(outgoing())
        assert.isTrue(sink.mails[0]?.secure)
        assert.strictEqual(sink.mails[0]?.user, "shop")
        const { extensions } = yield* transport.probe
        assert.include(extensions, "DSN")
      })
    )
  }
})
