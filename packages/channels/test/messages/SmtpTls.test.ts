import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { makeCertificate, trusting } from "../Certificates.js"
import { outgoing, transportTo } from "../Fixtures.js"
import { scriptedRelay } from "../ScriptedRelay.js"
import { smtpSink } from "../SmtpSink.js"

const certificate = makeCertificate("relay.test", "IP:127.0.0.1")

describe("TLS to the relay, if it is offered", () => {
  it.scoped("is used, whoever signed the certificate", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink()
      const transport = yield* transportTo(sink.port, { tls: "opportunistic" })
      yield* transport.send(outgoing())
      assert.isTrue(sink.mails[0]?.secure)
    })
  )

  it.scoped("is done without where it is not offered", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink({ hideSTARTTLS: true })
      const transport = yield* transportTo(sink.port, { tls: "opportunistic" })
      yield* transport.send(outgoing())
      assert.isFalse(sink.mails[0]?.secure)
    })
  )

  it.scoped("is done without where it is offered and refused, but no password is shown", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ EHLO: "250-relay.test\r\n250-AUTH PLAIN\r\n250 STARTTLS" })
      const url = `smtp://shop:s3cret@127.0.0.1:${relay.port}`
      const transport = yield* transportTo(relay.port, { tls: "opportunistic", url })
      yield* transport.send(outgoing())
      assert.lengthOf(relay.mails, 1)
      assert.strictEqual(yield* relay.heard("STARTTLS"), "STARTTLS")
      assert.match(yield* relay.heard(""), /^MAIL/)
    })
  )
})

describe("TLS to the relay, if it is required", () => {
  it.scoped("makes a relay that does not offer it an outage", () =>
    Effect.gen(function* () {
      const sink = yield* smtpSink({ disabledCommands: ["STARTTLS"] })
      const transport = yield* transportTo(sink.port, { tls: "require" })
      assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "RelayUnavailable")
      assert.lengthOf(sink.mails, 0)
    })
  )

  it.scoped("makes a relay that refuses it an outage", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ EHLO: "250-relay.test\r\n250 STARTTLS" })
      const transport = yield* transportTo(relay.port, { tls: "require" })
      assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "RelayUnavailable")
      assert.lengthOf(relay.mails, 0)
    })
  )

  for (const secure of [false, true]) {
    const scheme = secure ? "smtps" : "smtp"
    it.scoped(`makes a relay whose certificate nobody trusts an outage (${scheme})`, () =>
      Effect.gen(function* () {
        const sink = yield* smtpSink({ secure })
        const url = `${scheme}://127.0.0.1:${sink.port}`
        const transport = yield* transportTo(sink.port, { tls: "require", url })
        assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "RelayUnavailable")
        assert.strictEqual((yield* Effect.flip(transport.probe))._tag, "RelayUnavailable")
        assert.lengthOf(sink.mails, 0)
      })
    )

    it.scoped.skipIf(certificate === null)(
      `sends and logs in where the certificate is trusted (${scheme}; skipped without openssl)`,
      () =>
        Effect.gen(function* () {
          const { cert, key } = certificate ?? assert.fail("no certificate")
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
