import { assert, describe, it } from "@effect/vitest"
import { SmtpPool } from "@switchboard/channels/smtp/client/SmtpPool"
import { oneServer } from "@switchboard/channels/smtp/client/SmtpPoolOptions"
import { Effect, Fiber } from "effect"
import { heldLease, leasedTransportTo, outgoing, relayAt, shortTimeouts, transportTo } from "../../Fixtures.js"
import { scriptedRelay } from "../../ScriptedRelay.js"

const to = (recipient: string) => outgoing({ rcptTo: [recipient] })

/** The reply that a recipient such as "rcpt550@example.org" requests at a stage. */
const requested = (line: string, stage: string, otherwise: string) => {
  const code = new RegExp(`<${stage}(\\d{3})`).exec(line)?.[1]
  return code === undefined ? otherwise : `${code} as requested`
}

describe("The next mail of a connection", () => {
  it.scoped("is announced with the end of the current one", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: "silence" })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      yield* Effect.fork(transport.send(to("ada@example.org")))
      yield* Effect.fork(transport.send(to("bo@example.org")))
      yield* relay.awaitCommand(".")
      assert.strictEqual(yield* relay.awaitCommand("RCPT"), "RCPT TO:<bo@example.org>")
      assert.strictEqual(relay.connections(), 1)
    })
  )

  it.scoped("waits for the end of the current one without PIPELINING", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ EHLO: "250 relay.test" })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      const replies = yield* Effect.forEach(["ada@example.org", "bo@example.org"], (one) => transport.send(to(one)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        replies.map(({ replies: [reply] }) => reply?.recipient),
        ["ada@example.org", "bo@example.org"]
      )
      assert.strictEqual(relay.connections(), 1)
    })
  )

  it.scoped("has its own result, with every mixture of replies", () =>
    Effect.gen(function* () {
      let from = ""
      const relay = yield* scriptedRelay({
        MAIL: (line) => {
          from = line
          return requested(line, "mail", "250 OK")
        },
        RCPT: (line) => requested(line, "rcpt", "250 OK"),
        DATA: () => (/<(?:mail|rcpt)/.test(from) ? "503 no recipients" : requested(from, "data", "354 Go")),
        dot: () => requested(from, "dot", "250 OK")
      })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      const kinds = ["fine", "mail451", "rcpt550", "data451", "dot552", "fine", "rcpt451", "mail553", "dot451", "fine"]
      // Each kind precedes each other kind once.
      const sent = kinds.flatMap((kind) => kinds.flatMap((other) => [kind, other]))
      const ends = yield* Effect.forEach(
        sent,
        (kind, n) =>
          transport.send(outgoing({ mailFrom: `${kind}-${n}@example.com`, rcptTo: [`${kind}-${n}@example.org`] })).pipe(
            Effect.match({
              onSuccess: ({ replies: [reply] }) => `${reply?.verdict} ${reply?.smtpCode}`,
              onFailure: (error) => `${error._tag} ${"smtpCode" in error ? error.smtpCode : ""}`
            })
          ),
        { concurrency: "unbounded" }
      )
      const expected: Record<string, string> = {
        fine: "accepted 250",
        mail451: "SendDeferred 451",
        mail553: "SendRefused 553",
        rcpt550: "refused 550",
        rcpt451: "deferred 451",
        data451: "SendDeferred 451",
        dot552: "SendRefused 552",
        dot451: "SendDeferred 451"
      }
      assert.deepStrictEqual(
        ends,
        sent.map((kind) => expected[kind] ?? "")
      )
      assert.strictEqual(relay.connections(), 1)
    })
  )

  it.scoped("moves to another connection if the current one hangs, and is sent once", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: (_, connection) => (connection === 1 ? "silence" : "250 OK") })
      const transport = yield* transportTo(relay.port, { connections: 2, timeouts: shortTimeouts })
      const hanging = yield* Effect.fork(Effect.flip(transport.send(to("ada@example.org"))))
      yield* relay.awaitCommand(".")
      // Both have the owner of the hanging one, which may use one connection of two.
      const others = yield* Effect.forEach(["bo@example.org", "cy@example.org"], (one) => transport.send(to(one)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        others.map(({ replies: [reply] }) => reply?.recipient),
        ["bo@example.org", "cy@example.org"]
      )
      assert.strictEqual((yield* Fiber.join(hanging))._tag, "SendDeferred")
      assert.lengthOf(relay.mails, 3)
    })
  )

  it.scoped("is sent over a new connection if the current one is lost", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: (_, connection) => (connection === 1 ? "drop" : "250 OK") })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      const ends = yield* Effect.forEach(
        ["ada@example.org", "bo@example.org", "cy@example.org"],
        (one) => Effect.either(transport.send(to(one))),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        ends.map(({ _tag }) => _tag),
        ["Left", "Right", "Right"]
      )
      assert.lengthOf(relay.mails, 3)
    })
  )

  it.scoped("is sent to another connection if the current one is cancelled", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: (_, connection) => (connection === 1 ? "silence" : "250 OK") })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      const cancelled = yield* Effect.fork(transport.send(to("ada@example.org")))
      const next = yield* Effect.fork(transport.send(to("bo@example.org")))
      yield* relay.awaitCommand(".")
      yield* relay.awaitCommand("RCPT TO:<bo@")
      yield* Fiber.interrupt(cancelled)
      assert.strictEqual((yield* Fiber.join(next)).replies[0]?.verdict, "accepted")
    })
  )

  it.scoped("is not sent if it is cancelled, and its connection is not used further", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({
        dot: (text) => (text.includes("slow") ? { reply: "250 OK", after: 50 } : "250 OK")
      })
      const transport = yield* transportTo(relay.port, { connections: 1 })
      const current = yield* Effect.fork(transport.send(outgoing({ subject: "slow" })))
      const next = yield* Effect.fork(transport.send(to("bo@example.org")))
      yield* relay.awaitCommand(".")
      yield* relay.awaitCommand("RCPT TO:<bo@")
      yield* Fiber.interrupt(next)
      assert.strictEqual((yield* Fiber.join(current)).replies[0]?.verdict, "accepted")
      yield* transport.send(to("cy@example.org"))
      assert.strictEqual(relay.connections(), 2)
      assert.lengthOf(relay.mails, 2)
    })
  )
})

describe("Leases of mails that wait for a connection", () => {
  it.scoped("are checked when the mail has a connection", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: "silence" })
      const transport = yield* leasedTransportTo(relay.port, { connections: 1, timeouts: shortTimeouts })
      yield* Effect.fork(transport.send(outgoing(), heldLease))
      let isHeld = true
      const waiting = yield* Effect.fork(
        Effect.flip(transport.send(to("bo@example.org"), { ...heldLease, isHeld: () => isHeld }))
      )
      yield* relay.awaitCommand("DATA")
      isHeld = false
      assert.strictEqual((yield* Fiber.join(waiting))._tag, "SendWithdrawn")
    })
  )

  it.scoped("are checked again before the data of a mail whose envelope was sent", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({ dot: { reply: "250 OK", after: 50 } })
      const transport = yield* leasedTransportTo(relay.port, { connections: 1 })
      const current = yield* Effect.fork(transport.send(outgoing(), heldLease))
      let isHeld = true
      const next = yield* Effect.fork(
        Effect.flip(transport.send(to("bo@example.org"), { ...heldLease, isHeld: () => isHeld }))
      )
      yield* relay.awaitCommand(".")
      isHeld = false
      assert.strictEqual((yield* Fiber.join(next))._tag, "SendWithdrawn")
      assert.strictEqual((yield* Fiber.join(current)).replies[0]?.verdict, "accepted")
      assert.lengthOf(relay.mails, 1)
    })
  )

  it.scoped("leave a part of the connections to other owners", () =>
    Effect.gen(function* () {
      const relay = yield* scriptedRelay({
        EHLO: "250 relay.test",
        RCPT: (line) => (line.includes("hang") ? "silence" : "250 OK")
      })
      const pool = yield* Effect.acquireRelease(
        Effect.sync(() => new SmtpPool({ nextServer: oneServer(relayAt(relay.port)), connections: () => 5 })),
        (open) => Effect.sync(() => open.close())
      )
      const { data, envelope } = {
        data: { octets: Buffer.from("a\r\n"), size: 3, hasEighthBit: false },
        envelope: { mailFrom: "a@example.com", rcptTo: ["hang@example.org"] }
      }
      const lost = () => assert.fail("every lease holds")
      for (let n = 0; n < 10; n++) {
        pool.send({ data, envelope, lease: { owner: "noisy", isHeld: () => true, lost } }, () => undefined)
      }
      const quiet = yield* Effect.async<object>((resume) => {
        pool.send(
          {
            data,
            envelope: { ...envelope, rcptTo: ["ada@example.org"] },
            lease: { owner: "quiet", isHeld: () => true, lost }
          },
          (result) => resume(Effect.succeed(result))
        )
      })
      assert.property(quiet, "accepted")
      assert.strictEqual(relay.connections(), 5)
    })
  )
})
