import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Queue } from "effect"
import { type Certificate, filesOf, mxCertificate, otherCertificate } from "../../Certificates.js"
import { rawClient, upgrade } from "../../RawClient.js"
import { inboundFixture, mailWith } from "./InboundFixture.js"

/** The files of a certificate, as the settings name them. */
const certificateFiles = (pair: Certificate) =>
  Effect.map(filesOf(pair), (files) => ({ ...files, settings: ["INBOUND_TLS_CERT", "INBOUND_TLS_KEY"] as const }))

describe("STARTTLS", () => {
  it.scopedLive("is offered with a certificate, and resets the session", () =>
    Effect.gen(function* () {
      const files = yield* certificateFiles(mxCertificate)
      const { stored, port } = yield* inboundFixture({ certificate: Option.some(files) })
      const client = yield* rawClient(port)
      const offers: Array<string> = []
      client.onLine((line) => offers.push(line))
      yield* client.sendLine("EHLO client.test")
      assert.include(offers.join("\n"), "STARTTLS")
      yield* client.sendLine("MAIL FROM:<mallory@example.com>")
      assert.match(yield* client.sendLine("STARTTLS"), /^220 /)
      const { protocol, sendLine } = yield* upgrade(client)
      assert.strictEqual(protocol, "TLSv1.3")
      // The MAIL command before TLS is discarded (RFC 3207 section 4.2).
      assert.match(yield* sendLine("RCPT TO:<support@shop.test>"), /^503 /)
      yield* sendLine("EHLO client.test")
      assert.match(yield* sendLine("STARTTLS"), /^503 /)
      yield* sendLine("MAIL FROM:<ada@example.com>")
      yield* sendLine("RCPT TO:<support@shop.test>")
      yield* sendLine("DATA")
      assert.match(yield* sendLine(`${mailWith()}.`), /^250 /)
      assert.deepInclude(stored[0]?.[0], { tls: true, mailFrom: "ada@example.com" })
    })
  )

  it.scopedLive("discards plaintext commands that follow it", () =>
    Effect.gen(function* () {
      const files = yield* certificateFiles(mxCertificate)
      const { stored, port } = yield* inboundFixture({ certificate: Option.some(files) })
      const client = yield* rawClient(port)
      yield* client.sendLine("EHLO client.test")
      const injected = "EHLO evil.test\r\nMAIL FROM:<mallory@example.com>\r\nRCPT TO:<support@shop.test>\r\n"
      yield* client.writeAll(`STARTTLS\r\n${injected}DATA\r\nSubject: Injected\r\n\r\n.\r\n`)
      assert.match(yield* client.reply, /^220 /)
      const { replies, sendLine } = yield* upgrade(client)
      assert.match(yield* sendLine("MAIL FROM:<ada@example.com>"), /^503 5\.5\.1 .*EHLO/)
      assert.match(yield* sendLine("NOOP"), /^250 /)
      assert.strictEqual(yield* Queue.size(replies), 0)
      assert.isEmpty(stored)
    })
  )

  it.scopedLive("fails at the start without a certificate and its matching key", () =>
    Effect.gen(function* () {
      const files = yield* certificateFiles({ cert: mxCertificate.cert, key: otherCertificate.key })
      for (const wrong of [files, { ...files, cert: "/nowhere/cert.pem" }]) {
        const failure = yield* Effect.flip(inboundFixture({ certificate: Option.some(wrong) }))
        assert.include(failure.message, "INBOUND_TLS_CERT")
      }
    })
  )
})
