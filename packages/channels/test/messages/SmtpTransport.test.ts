import { assert, describe, it } from "@effect/vitest"
import type { MailReceipt } from "@switchboard/services/messages/delivery/MailTransport"
import { Effect, Either, Exit, Fiber, Queue, Scope } from "effect"
import { impatient, outgoing, transportTo } from "../Fixtures.js"
import { type Answer, type Script, scriptedRelay } from "../ScriptedRelay.js"

/** How one mail fares with a relay that behaves like this. */
const sendTo = (script: Script, recipients: ReadonlyArray<string> = ["ada@example.org"], url?: string) =>
  Effect.gen(function* () {
    const relay = yield* scriptedRelay(script)
    const transport = yield* transportTo(relay.port, {
      timeouts: impatient,
      ...(url === undefined ? {} : { url: `${url}:${relay.port}` })
    })
    return { relay, outcome: yield* Effect.either(transport.send(outgoing({ rcptTo: recipients }))) }
  })

const noPipelining = "250-relay.test\r\n250 8BITMIME"
const verdicts = ({ replies }: MailReceipt) =>
  Object.fromEntries(replies.map(({ recipient, smtpCode, verdict }) => [recipient, [verdict, smtpCode]]))

const failures: ReadonlyArray<readonly [string, Script, string, number | null | undefined]> = [
  ["a greeting that sends us away", { greeting: "554 5.3.2 Go away" }, "RelayUnavailable", undefined],
  ["a greeting that asks us to come later", { greeting: "450 4.3.2 Later" }, "RelayUnavailable", undefined],
  ["a greeting of 421", { greeting: "421 4.3.2 Closing" }, "RelayUnavailable", undefined],
  ["a connection dropped before the greeting", { greeting: "drop" }, "RelayUnavailable", undefined],
  ["no greeting", { greeting: "silence" }, "RelayUnavailable", undefined],
  ["a refused EHLO and HELO", { EHLO: "502 What?", HELO: "554 No" }, "RelayUnavailable", undefined],
  ["EHLO answered by 421", { EHLO: "421 4.3.2 Closing" }, "RelayUnavailable", undefined],
  ["a connection dropped at EHLO", { EHLO: "drop" }, "RelayUnavailable", undefined],
  ["no answer to EHLO", { EHLO: "silence" }, "RelayUnavailable", undefined],
  ["MAIL refused for good", { MAIL: "550 5.7.1 Not you" }, "MailRefused", 550],
  ["MAIL put off", { MAIL: "451 4.3.0 Later" }, "MailDeferred", 451],
  ["MAIL answered by 421", { MAIL: "421 4.3.2 Closing" }, "RelayUnavailable", undefined],
  ["MAIL that wants a log-in", { MAIL: "530 5.7.0 Authentication required" }, "RelayUnavailable", undefined],
  ["a connection dropped at MAIL", { MAIL: "drop" }, "MailDeferred", null],
  ["no answer to MAIL", { MAIL: "silence" }, "MailDeferred", null],
  ["RCPT answered by 421", { RCPT: "421 4.3.2 Closing" }, "RelayUnavailable", undefined],
  ["a connection dropped at RCPT", { RCPT: "drop" }, "MailDeferred", null],
  ["DATA refused for good", { DATA: "554 5.5.1 No" }, "MailRefused", 554],
  ["DATA put off", { DATA: "451 4.3.0 Later" }, "MailDeferred", 451],
  ["DATA answered by 421", { DATA: "421 4.3.2 Closing" }, "RelayUnavailable", undefined],
  ["a connection dropped at DATA", { DATA: "drop" }, "MailDeferred", null],
  ["the mail refused for good", { dot: "554 5.7.1 Spam" }, "MailRefused", 554],
  ["the mail put off", { dot: "452 4.3.1 Full" }, "MailDeferred", 452],
  ["the final dot answered by 421", { dot: "421 4.3.2 Closing" }, "RelayUnavailable", undefined],
  ["a connection dropped at the final dot", { dot: "drop" }, "MailDeferred", null],
  ["no answer to the final dot", { dot: "silence" }, "MailDeferred", null]
]

describe("SmtpTransport", () => {
  for (const pipelining of [true, false]) {
    const how = pipelining ? "all commands at once" : "one command at a time"
    for (const [what, script, tag, code] of failures) {
      it.scoped(`takes ${what} for ${tag}, ${how}`, () =>
        Effect.gen(function* () {
          const { outcome } = yield* sendTo({ ...(pipelining ? {} : { EHLO: noPipelining }), ...script })
          const failure = Either.isLeft(outcome) ? outcome.left : assert.fail("sent")
          assert.strictEqual(failure._tag, tag)
          if (failure._tag !== "RelayUnavailable") assert.strictEqual(failure.smtpCode, code)
          const said = Object.values(script).at(-1)
          if (typeof said === "string" && code) assert.include(failure.response, said)
        })
      )
    }

    it.scoped(`tells what was said of each recipient, ${how}`, () =>
      Effect.gen(function* () {
        const answers: Record<string, Answer> = {
          "<gone@example.org>": "550 5.1.1 No such user",
          "<busy@example.org>": "451 4.7.1 Greylisted",
          "<ada@example.org>": "250 2.1.5 OK"
        }
        const RCPT = (line: string) => answers[line.slice("RCPT TO:".length).split(" ")[0] ?? ""] ?? "drop"
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

    it.scoped(`gives each recipient's reply when all are refused, ${how}, and can send again`, () =>
      Effect.gen(function* () {
        let someoneIsThere = false
        const relay = yield* scriptedRelay({
          ...(pipelining ? {} : { EHLO: noPipelining }),
          RCPT: (line) => {
            someoneIsThere = line.includes("ada")
            return someoneIsThere ? "250 OK" : line.includes("gone") ? "550 5.1.1 No such user" : "450 4.2.1 Busy"
          },
          DATA: () => (someoneIsThere ? "354 Go ahead" : "554 5.5.1 No valid recipients")
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

  it.scoped("takes a port where nobody listens for an outage", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(scriptedRelay())
      const transport = yield* transportTo(port)
      assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "RelayUnavailable")
    })
  )

  it.scoped("takes a name that nobody has for an outage", () =>
    Effect.gen(function* () {
      const transport = yield* transportTo(1, { url: "smtp://relay.invalid:25" })
      assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "RelayUnavailable")
    })
  )

  it.scoped("takes a refused password for an outage, and never says it", () =>
    Effect.gen(function* () {
      const { outcome } = yield* sendTo(
        { EHLO: "250-relay.test\r\n250 AUTH PLAIN", AUTH: "535 5.7.8 Wrong" },
        ["ada@example.org"],
        "smtp://shop:s3cret@127.0.0.1"
      )
      const failure = Either.isLeft(outcome) ? outcome.left : assert.fail("sent")
      assert.strictEqual(failure._tag, "RelayUnavailable")
      assert.include(failure.response, "535 5.7.8 Wrong")
      assert.notInclude(JSON.stringify(failure), "s3cret")
    })
  )

  it.scoped("logs in with what the URL says, unescaped", () =>
    Effect.gen(function* () {
      const { outcome, relay } = yield* sendTo(
        { EHLO: "250-relay.test\r\n250 AUTH PLAIN" },
        ["ada@example.org"],
        "smtp://shop%40example.com:50%25%20off@127.0.0.1"
      )
      yield* outcome
      const [, , credentials = ""] = (yield* relay.heard("AUTH")).split(" ")
      assert.strictEqual(Buffer.from(credentials, "base64").toString(), "\0shop@example.com\x0050% off")
    })
  )

  it.scoped("keeps its connection for the next mail", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay()
      const transport = yield* transportTo(relay.port)
      yield* transport.send(outgoing())
      yield* transport.send(outgoing())
      assert.strictEqual(relay.connections(), 1)
    })
  )

  it.scoped("sends over another connection when the relay has closed the open one meanwhile", () =>
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

  it.scoped("takes an interrupted mail back with its connection, and sends the next", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: (_, connection) => (connection === 1 ? "silence" : "250 OK") })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      const sending = yield* Effect.fork(transport.send(outgoing()))
      const waiting = yield* Effect.fork(transport.send(outgoing({ subject: "Never" })))
      yield* relay.heard(".")
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

  it.scoped("closes its connections with its scope, busy or not", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: (text) => (text.includes("Hang") ? "silence" : "250 OK") })
      const scope = yield* Scope.make()
      const transport = yield* Scope.extend(transportTo(relay.port), scope)
      const hanging = yield* Effect.fork(transport.send(outgoing({ subject: "Hang" })))
      yield* relay.heard(".")
      yield* transport.send(outgoing())
      yield* Scope.close(scope, Exit.void)
      assert.sameMembers([yield* Queue.take(relay.closed), yield* Queue.take(relay.closed)], [1, 2])
      assert.isTrue(Exit.isFailure(yield* Fiber.await(hanging)))
      assert.strictEqual((yield* Effect.flip(transport.send(outgoing())))._tag, "RelayUnavailable")
    })
  )

  it.scoped("opens no more connections than it may", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay()
      const transport = yield* transportTo(relay.port, { connections: 3 })
      yield* Effect.replicateEffect(transport.send(outgoing()), 30, { concurrency: "unbounded" })
      assert.lengthOf(relay.mails, 30)
      assert.isAtMost(relay.connections(), 3)
    })
  )

  it.scoped("refuses what has no recipient before any relay does", () =>
    Effect.gen(function* () {
      const { outcome } = yield* sendTo({}, [])
      const failure = Either.isLeft(outcome) ? outcome.left : assert.fail("sent")
      assert.strictEqual(failure._tag, "MailRefused")
    })
  )
})
