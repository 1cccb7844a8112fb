import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { outgoing, transportTo } from "../Fixtures.js"
import { scriptedRelay } from "../ScriptedRelay.js"
import { smtpSink } from "../SmtpSink.js"

/** A certificate for 127.0.0.1 that nobody trusts yet, null where there is no OpenSSL to make one. */
const makeCertificate = () => {
  const directory = mkdtempSync(join(tmpdir(), "switchboard-tls-"))
  const file = (name: string) => join(directory, name)
  try {
    execFileSync(
      "openssl",
      [
        ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"],
        ...["-subj", "/CN=relay.test", "-addext", "subjectAltName=IP:127.0.0.1"],
        ...["-keyout", file("key"), "-out", file("cert")]
      ],
      { stdio: "ignore" }
    )
    return { key: readFileSync(file("key")), cert: readFileSync(file("cert")) }
  } catch {
    return null
  } finally {
    rmSync(directory, { recursive: true })
  }
}

const certificate = makeCertificate()

/** Trusts the certificate as NODE_EXTRA_CA_CERTS would, which is read at the start of a process alone. */
const trusting = (ca: Buffer) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const original = tls.createSecureContext
      tls.createSecureContext = (options) => original({ ca, ...options })
      return original
    }),
    (original) =>
      Effect.sync(() => {
        tls.createSecureContext = original
      })
  )

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
      const url = Redacted.make(`smtp://shop:s3cret@127.0.0.1:${relay.port}`)
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
        const url = Redacted.make(`${scheme}://127.0.0.1:${sink.port}`)
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
          const url = Redacted.make(`${scheme}://shop:s3cret@127.0.0.1:${sink.port}`)
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
