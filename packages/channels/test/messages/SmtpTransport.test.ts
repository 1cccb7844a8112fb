import { assert, describe, it } from "@effect/vitest"
import type { ProviderReply } from "@switchboard/services/messages/delivery/Provider"
import { Effect, Either, Exit, Fiber, Queue, Scope } from "effect"
import { outgoing, shortTimeouts, transportTo } from "../Fixtures.js"
import { type Script, type ScriptedReply, scriptedRelay } from "../ScriptedRelay.js"

/** Sends one mail to a relay with this script. */
const sendTo = (script: Script, recipients: ReadonlyArray<string> = ["ada@example.org"], url?: string) =>
  Effect.gen(function* () {
    const relay = yield* scriptedRelay(script)
    const transport = yield* transportTo(relay.port, {
      timeouts: shortTimeouts,
      ...(url === undefined ? {} : { url: `${url}:${relay.port}` })
    })
    return { relay, outcome: yield* Effect.either(transport.send(outgoing({ rcptTo: recipients }))) }
  })

const noPipelining = "250-relay.test\r\n250 8BITMIME"
const verdicts = ({ replies }: ProviderReply) =>
  Object.fromEntries(replies.map(({ recipient, smtpCode, verdict }) => [recipient, [verdict, smtpCode]]))

describe("SmtpTransport", () => {
  for (const pipelining of [true, false]) {
    const mode = pipelining ? "with PIPELINING" : "without PIPELINING"
    it.scoped(`returns the reply for each recipient, ${mode}`, () =>
      Effect.gen(function* () {
        const replies: Record<string, ScriptedReply> = {
          "<gone@example.org>": "550 5.1.1 No such user",
          "<busy@example.org>": "451 4.7.1 Greylisted",
          "<ada@example.org>": "250 2.1.5 OK"
        }
        const RCPT = (line: string) => replies[line.slice("RCPT TO:".length).split(" ")[0] ?? ""] ?? "drop"
        const { outcome, relay } = yield* sendTo({ ...(pipelining ? {} : { EHLO: noPipelining }), RCPT }, [
          "gone@example.org",
          "ada@example.org",
          "busy@example.org"
        ])
        const receipt = yield* outcome
        assert.deepStrictEqual(verdicts(receipt), {
          "ada@example.org": ["accepted", 250],
          "gone@example.org": ["refused", 550],
          "busy@example.org": ["deferred", 451]
        })
        assert.strictEqual(receipt.response, "250 2.0.0 Ok: queued as 4XyZ")
        assert.strictEqual(receipt.providerMessageId, "4XyZ")
        assert.lengthOf(relay.mails, 1)
      })
    )

    it.scoped.each([
      "452 4.5.3 Too many recipients",
      "552 5.5.3 No more",
      "550 5.5.3 Limit",
      "552 Too many recipients"
    ])(`omits the recipients of which a transaction has too many, ${mode}: %s`, (reply) =>
      Effect.gen(function* () {
        let count = 0
        const RCPT = (line: string) => (line.includes("gone") ? "550 5.1.1 No" : ++count > 1 ? reply : "250 2.1.5 OK")
        const { outcome } = yield* sendTo({ ...(pipelining ? {} : { EHLO: noPipelining }), RCPT }, [
          "gone@example.org",
          "ada@example.org",
          "bo@example.org",
          "cy@example.org"
        ])
        assert.deepStrictEqual(verdicts(yield* outcome), {
          "gone@example.org": ["refused", 550],
          "ada@example.org": ["accepted", 250]
        })
      })
    )

    it.scoped(`defers the recipients if a transaction takes none of them, ${mode}`, () =>
      Effect.gen(function* () {
        const { outcome } = yield* sendTo(
          {
            ...(pipelining ? {} : { EHLO: noPipelining }),
            RCPT: "552 5.5.3 Too many recipients",
            DATA: "503 5.5.1 RCPT first"
          },
          ["ada@example.org", "bo@example.org"]
        )
        assert.deepStrictEqual(verdicts(yield* outcome), {
          "ada@example.org": ["deferred", 552],
          "bo@example.org": ["deferred", 552]
        })
      })
    )

    it.scoped(`returns each reply if all recipients are refused, and reuses the connection, ${mode}`, () =>
      Effect.gen(function* () {
        let hasRecipient = false
        const relay = yield* scriptedRelay({
          ...(pipelining ? {} : { EHLO: noPipelining }),
          RCPT: (line) => {
            hasRecipient = line.includes("ada")
            return hasRecipient ? "250 OK" : line.includes("gone") ? "550 5.1.1 No such user" : "450 4.2.1 Busy"
          },
          DATA: () => (hasRecipient ? "354 Go ahead" : "554 5.5.1 No valid recipients")
        })
        const transport = yield* transportTo(relay.port, { connections: 1 })
        const receipt = yield* transport.send(outgoing({ rcptTo: ["gone@example.org", "busy@example.org"] }))
        assert.deepStrictEqual(verdicts(receipt), {
          "gone@example.org": ["refused", 550],
          "busy@example.org": ["deferred", 450]
        })
        assert.isNull(receipt.response)
        yield* transport.send(outgoing())
        assert.lengthOf(relay.mails, 1)
        assert.strictEqual(relay.connections(), 1)
      })
    )
  }

  it.scoped("returns ProviderUnavailable for a relay that requires authentication", () =>
    Effect.gen(function* () {
      const { outcome } = yield* sendTo({ MAIL: "530 5.7.0 Authentication required" })
      assert.strictEqual(Either.isLeft(outcome) ? outcome.left._tag : "sent", "ProviderUnavailable")
    })
  )

  it.scoped("returns ProviderUnavailable for a closed port and an unknown host name", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(scriptedRelay())
      for (const transport of [yield* transportTo(port), yield* transportTo(1, { url: "smtp://relay.invalid:25" })]) {
        assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "ProviderUnavailable")
      }
    })
  )

  it.scoped("authenticates with the percent-decoded credentials of the URL", () =>
    Effect.gen(function* () {
      const { outcome, relay } = yield* sendTo(
        { EHLO: "250-relay.test\r\n250 AUTH PLAIN" },
        ["ada@example.org"],
        "smtp://shop%40example.com:50%25%20off@127.0.0.1"
      )
      yield* outcome
      const [, , credentials = ""] = (yield* relay.awaitCommand("AUTH")).split(" ")
      assert.strictEqual(Buffer.from(credentials, "base64").toString(), "\0shop@example.com\x0050% off")
    })
  )

  it.scoped("retries on a new connection if the relay has closed the idle one", () =>
    Effect.gen(function* () {
      let closing = false
      const relay = yield* scriptedRelay({
        MAIL: (_, connection) => (closing && connection === 1 ? "421 4.4.2 Idle too long" : "250 OK")
      })
      const transport = yield* transportTo(relay.port)
      yield* transport.send(outgoing())
      closing = true
      yield* transport.send(outgoing())
      assert.lengthOf(relay.mails, 2)
      assert.strictEqual(relay.connections(), 2)
    })
  )

  it.scoped("closes the connection of an interrupted mail, and sends the next mail", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: (_, connection) => (connection === 1 ? "silence" : "250 OK") })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      const sending = yield* Effect.fork(transport.send(outgoing()))
      const waiting = yield* Effect.fork(transport.send(outgoing({ subject: "Never" })))
      yield* relay.awaitCommand(".")
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(sending)
      assert.strictEqual(yield* Queue.take(relay.closed), 1)
      yield* transport.send(outgoing({ subject: "Next" }))
      assert.deepStrictEqual(
        relay.mails.map((mail) => /^Subject: (.*)$/m.exec(mail)?.[1]?.trim()),
        ["Hello", "Next"]
      )
    })
  )

  it.scoped("closes idle and busy connections with its scope", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: (text) => (text.includes("Hang") ? "silence" : "250 OK") })
      const scope = yield* Scope.make()
      const transport = yield* Scope.extend(transportTo(relay.port, { connections: 3 }), scope)
      const hanging = yield* Effect.fork(transport.send(outgoing({ subject: "Hang" })))
      yield* relay.awaitCommand(".")
      yield* transport.send(outgoing())
      yield* Scope.close(scope, Exit.void)
      assert.sameMembers([yield* Queue.take(relay.closed), yield* Queue.take(relay.closed)], [1, 2])
      assert.isTrue(Exit.isFailure(yield* Fiber.await(hanging)))
      assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "ProviderUnavailable")
    })
  )

  it.scoped("limits the number of connections", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay()
      const transport = yield* transportTo(relay.port, { connections: 3 })
      yield* Effect.replicateEffect(transport.send(outgoing()), 30, { concurrency: "unbounded" })
      assert.lengthOf(relay.mails, 30)
      assert.isAtMost(relay.connections(), 3)
    })
  )

  it.scoped("refuses a mail without recipients", () =>
    Effect.gen(function* () {
      const { outcome } = yield* sendTo({}, [])
      const failure = Either.isLeft(outcome) ? outcome.left : assert.fail("sent")
      assert.strictEqual(failure._tag, "SendRefused")
    })
  )
})
