import { createServer, type Server, type Socket } from "node:net"
import { TLSSocket } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { mailData } from "@switchboard/channels/smtp/client/SmtpMail"
import { SmtpPool } from "@switchboard/channels/smtp/client/SmtpPool"
import { oneServer } from "@switchboard/channels/smtp/client/SmtpPoolOptions"
import { atOnce } from "@switchboard/services/Slices"
import { Effect, Either, Queue } from "effect"
import { relayCertificate } from "../../Certificates.js"
import { outgoing, relayAt, shortTimeouts, transportTo } from "../../Fixtures.js"
import { scriptedRelay } from "../../ScriptedRelay.js"

const mailTo = (recipient: string, content = "a\r\n") => ({
  envelope: { mailFrom: "", rcptTo: [recipient] },
  data: atOnce(mailData(Buffer.from(content)))
})

/** A relay behind an attacker who injects a plaintext reply after the reply to STARTTLS. */
const injectReply = (plain: Socket, onCommand: (line: string) => void) => {
  const serve = (socket: Socket, isSecure: boolean) => {
    socket.on("error", () => socket.destroy())
    socket.on("data", (octets) => {
      const line = octets.toString().trim()
      onCommand(line)
      if (line !== "STARTTLS") {
        socket.write(isSecure ? "250-relay.test\r\n250 SIZE 1000\r\n" : "250-relay.test\r\n250 STARTTLS\r\n")
        return
      }
      socket.removeAllListeners("data")
      socket.write("220 Go\r\n250-relay.test\r\n250 INJECTED\r\n")
      serve(new TLSSocket(socket, { isServer: true, ...relayCertificate }), true)
    })
  }
  serve(plain, false)
  plain.write("220 relay.test\r\n")
}

describe("SmtpPool", () => {
  it.scoped("pipelines the commands if the relay offers PIPELINING", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ MAIL: "silence" })
      const transport = yield* transportTo(relay.port)
      yield* Effect.fork(transport.send(outgoing({ rcptTo: ["ada@example.org", "bo@example.org"] })))
      assert.strictEqual(yield* relay.awaitCommand("DATA"), "DATA")
    })
  )

  it.scoped("resends over new connections after a restart of the relay", () =>
    Effect.gen(function* () {
      let isRestarted = false
      const relay = yield* scriptedRelay({
        MAIL: (_, connection) => (isRestarted && connection <= 3 ? "drop" : "250 OK")
      })
      // One owner uses three of them.
      const transport = yield* transportTo(relay.port, { connections: 4 })
      yield* Effect.replicateEffect(transport.send(outgoing()), 12, { concurrency: "unbounded" })
      const before = relay.connections()
      isRestarted = true
      const outcomes = yield* Effect.replicateEffect(Effect.either(transport.send(outgoing())), 3, {
        concurrency: "unbounded"
      })
      assert.isTrue(outcomes.every(Either.isRight))
      assert.isAbove(relay.connections(), before)
    })
  )

  it.scoped("reuses a connection after RSET", () =>
    Effect.gen(function* () {
      let isFirst = true
      const relay = yield* scriptedRelay({
        EHLO: "250-relay.test\r\n250 8BITMIME",
        RCPT: () => {
          const reply = isFirst ? "550 5.1.1 No" : "250 OK"
          isFirst = false
          return reply
        }
      })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      yield* transport.send(outgoing())
      yield* transport.send(outgoing())
      assert.strictEqual(yield* relay.awaitCommand("RSET"), "RSET")
      assert.strictEqual(relay.connections(), 1)
      assert.lengthOf(relay.mails, 1)
    })
  )

  it.scoped("discards plaintext received before TLS", () =>
    Effect.gen(function* () {
      const commands = yield* Queue.unbounded<string>()
      const server = yield* Effect.acquireRelease(
        Effect.async<Server>((resume) => {
          const listening = createServer((socket) => injectReply(socket, (line) => commands.unsafeOffer(line)))
          listening.listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
        }),
        (listening) => Effect.sync(() => listening.close())
      )
      const address = server.address()
      const transport = yield* transportTo(typeof address === "object" && address !== null ? address.port : 0)
      const { extensions } = yield* transport.probe
      assert.deepStrictEqual(extensions, ["SIZE 1000"])
      assert.deepStrictEqual(
        [...(yield* Queue.takeAll(commands))].map((line) => line.slice(0, 8)),
        ["EHLO sen", "STARTTLS", "EHLO sen"]
      )
    })
  )

  it.scoped("writes a large mail in blocks", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay()
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new SmtpPool({ nextServer: oneServer(relayAt(relay.port)), connections: () => 1 })),
        (open) => Effect.sync(() => open.close())
      )
      const mail = `Subject: large\r\n\r\n${"0123456789abcdef\r\n".repeat(100_000)}`
      yield* Effect.async<void>((resume) => {
        pool.send(mailTo("ada@example.org", mail), () => resume(Effect.void))
      })
      assert.strictEqual(`${relay.mails[0]}\r\n`, mail)
    })
  )

  it.scoped("reports a stalled connection, and its end", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ EHLO: "250-relay.test\r\n250 8BITMIME", RCPT: "silence" })
      const reports = yield* Queue.unbounded<boolean>()
      const pool = yield* Effect.acquireRelease(
        Effect.sync(
          () =>
            new SmtpPool({
              nextServer: oneServer(relayAt(relay.port, { timeouts: shortTimeouts })),
              connections: () => 2,
              events: { stalled: (is) => reports.unsafeOffer(is) }
            })
        ),
        (open) => Effect.sync(() => open.close())
      )
      const result = yield* Effect.async<object>((resume) => {
        pool.send(mailTo("hang@example.org"), (end) => resume(Effect.succeed(end)))
      })
      assert.deepInclude(result, { stage: "RCPT", cause: "timeout" })
      assert.deepStrictEqual(yield* Queue.takeAll(reports).pipe(Effect.map((all) => [...all])), [true, false])
    })
  )
})
