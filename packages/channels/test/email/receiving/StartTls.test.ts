import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import tls from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Queue } from "effect"
import { makeCertificate } from "../../Certificates.js"
import { rawClient } from "../../RawClient.js"
import { inboundHouse, mailWith } from "./InboundHouse.js"

const made = makeCertificate("mx.switchboard.test", "DNS:mx.switchboard.test")

/** The certificate in files, as operators have it. */
const certificateFiles = (certificate: { readonly cert: string | Buffer; readonly key: string | Buffer }) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "switchboard-inbound-"))),
      (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
    ),
    (folder) => {
      const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") }
      writeFileSync(files.cert, certificate.cert)
      writeFileSync(files.key, certificate.key)
      return files
    }
  )

/** Goes over to TLS, and speaks on. */
const secured = (socket: tls.ConnectionOptions["socket"]) =>
  Effect.gen(function* () {
    const replies = yield* Queue.unbounded<string>()
    const secure = yield* Effect.async<tls.TLSSocket>((resume) => {
      const open = tls.connect({ socket, rejectUnauthorized: false }, () => resume(Effect.succeed(open)))
    })
    secure.on("data", (chunk) => {
      for (const line of String(chunk).split("\r\n")) if (/^\d{3} /.test(line)) replies.unsafeOffer(line)
    })
    const say = (line: string) =>
      Effect.zipRight(
        Effect.sync(() => secure.write(`${line}\r\n`)),
        Queue.take(replies)
      )
    return { say, protocol: secure.getProtocol(), replies }
  })

describe.skipIf(made === null)("STARTTLS", () => {
  it.scopedLive("is offered with a certificate, and begins anew", () =>
    Effect.gen(function* () {
      const files = yield* certificateFiles(made ?? assert.fail())
      const { kept, port } = yield* inboundHouse({ certificate: Option.some(files) })
      const client = yield* rawClient(port)
      const offers: Array<string> = []
      client.heard((line) => offers.push(line))
      yield* client.say("EHLO client.test")
      assert.include(offers.join("\n"), "STARTTLS")
      yield* client.say("MAIL FROM:<mallory@example.com>")
      assert.match(yield* client.say("STARTTLS"), /^220 /)
      client.socket.removeAllListeners("data")
      const { protocol, say } = yield* secured(client.socket)
      assert.strictEqual(protocol, "TLSv1.3")
      // What was said in the clear is not said any more.
      assert.match(yield* say("RCPT TO:<support@shop.test>"), /^503 /)
      yield* say("EHLO client.test")
      assert.match(yield* say("STARTTLS"), /^503 /)
      yield* say("MAIL FROM:<ada@example.com>")
      yield* say("RCPT TO:<support@shop.test>")
      yield* say("DATA")
      assert.match(yield* say(`${mailWith()}.`), /^250 /)
      assert.deepInclude(kept[0]?.[0], { tls: true, mailFrom: "ada@example.com" })
    })
  )

  it.scopedLive("throws away what was said in the clear after it", () =>
    Effect.gen(function* () {
      const files = yield* certificateFiles(made ?? assert.fail())
      const { kept, port } = yield* inboundHouse({ certificate: Option.some(files) })
      const client = yield* rawClient(port)
      yield* client.say("EHLO client.test")
      const injected = "EHLO evil.test\r\nMAIL FROM:<mallory@example.com>\r\nRCPT TO:<support@shop.test>\r\n"
      yield* client.pour(`STARTTLS\r\n${injected}DATA\r\nSubject: Injected\r\n\r\n.\r\n`)
      assert.match(yield* client.reply, /^220 /)
      client.socket.removeAllListeners("data")
      const { replies, say } = yield* secured(client.socket)
      assert.match(yield* say("MAIL FROM:<ada@example.com>"), /^503 5\.5\.1 .*EHLO/)
      assert.match(yield* say("NOOP"), /^250 /)
      assert.strictEqual(yield* Queue.size(replies), 0)
      assert.isEmpty(kept)
    })
  )

  it.scopedLive("needs a certificate and its key", () =>
    Effect.gen(function* () {
      const other = makeCertificate("other.test", "DNS:other.test") ?? assert.fail()
      const files = yield* certificateFiles({ cert: made?.cert ?? "", key: other.key })
      for (const wrong of [files, { cert: "/nowhere/cert.pem", key: files.key }]) {
        const failure = yield* Effect.flip(inboundHouse({ certificate: Option.some(wrong) }))
        assert.include(failure.message, "INBOUND_TLS_CERT")
      }
    })
  )
})
