import { assert, describe, it } from "@effect/vitest"
import { Command, encodeShortMessage, type Pdu, responseTo } from "@switchboard/channels/sms/Pdu"
import { Deferred, Duration, Effect, Fiber, Queue } from "effect"
import { otherCertificate, relayCertificate, trusting } from "../Certificates.js"
import { heldLease, organizationId } from "../Fixtures.js"
import { type ScriptedConnection, scriptedServer, shortLimits, smppTransportTo, sms } from "./SmsFixture.js"

/** Accepts binds and enquire_link, and passes other requests. */
const serverFor = (received: (pdu: Pdu, connection: ScriptedConnection) => void) =>
  scriptedServer((pdu, connection) => {
    if (pdu.command === Command.bindTransceiver || pdu.command === Command.enquireLink) connection.respond(pdu)
    else received(pdu, connection)
  })

const longText = "a".repeat(161)

describe("SmppTransport", () => {
  for (const { status, verdict, reason } of [
    { status: 0x0b, verdict: "refused", reason: "user_unknown" },
    { status: 0x0a, verdict: "refused", reason: "sender_blocked" },
    { status: 0x01, verdict: "refused", reason: "message_too_large" },
    { status: 0x45, verdict: "refused", reason: "unknown" },
    { status: 0x08, verdict: "deferred", reason: "system" },
    { status: 0x64, verdict: "deferred", reason: "system" },
    { status: 0x4ff, verdict: "deferred", reason: "system" }
  ]) {
    it.scopedLive(`counts command_status 0x${status.toString(16)} as ${verdict}`, () =>
      Effect.gen(function* () {
        const { port } = yield* serverFor((pdu, connection) => connection.respond(pdu, status, Buffer.of()))
        const transport = yield* smppTransportTo(port)
        const { replies } = yield* transport.send(sms(), heldLease)
        const errorCode = `0x${status.toString(16).toUpperCase().padStart(8, "0")}`
        assert.deepInclude(replies[0] ?? {}, { recipient: sms().to, verdict, reason, errorCode })
      })
    )
  }

  for (const status of [0x58, 0x14, 0x04]) {
    it.scopedLive(`counts command_status 0x${status.toString(16)} as an outage`, () =>
      Effect.gen(function* () {
        const { port } = yield* serverFor((pdu, connection) => connection.respond(pdu, status, Buffer.of()))
        const transport = yield* smppTransportTo(port)
        assert.strictEqual((yield* Effect.flip(transport.send(sms(), heldLease)))._tag, "ProviderUnavailable")
      })
    )
  }

  it.scopedLive("counts generic_nack as a response", () =>
    Effect.gen(function* () {
      const { port } = yield* serverFor((pdu, { write }) =>
        write({ command: Command.genericNack, status: 0x03, sequence: pdu.sequence })
      )
      const transport = yield* smppTransportTo(port)
      const { replies } = yield* transport.send(sms(), heldLease)
      assert.deepInclude(replies[0] ?? {}, { verdict: "refused", errorCode: "0x00000003" })
    })
  )

  it.scopedLive("defers a text without a response, which may have been taken", () =>
    Effect.gen(function* () {
      const { port } = yield* serverFor(() => undefined)
      const transport = yield* smppTransportTo(port, { limits: shortLimits })
      const failure = yield* Effect.flip(transport.send(sms(), heldLease))
      assert.deepInclude(failure, { _tag: "SendDeferred", isSilent: true, mayBeTaken: true })
    })
  )

  it.scopedLive("defers a text whose connection was lost after it was written", () =>
    Effect.gen(function* () {
      const { port } = yield* serverFor((_, { socket }) => socket.destroy())
      const transport = yield* smppTransportTo(port)
      const failure = yield* Effect.flip(transport.send(sms(), heldLease))
      assert.deepInclude(failure, { _tag: "SendDeferred", mayBeTaken: true })
    })
  )

  it.scopedLive("counts texts that wait for the window when the connection is lost as not sent", () =>
    Effect.gen(function* () {
      const { port } = yield* serverFor((_, { socket }) => socket.destroy())
      const transport = yield* smppTransportTo(port, { limits: { window: 1 } })
      const failures = yield* Effect.forEach([1, 2, 3], () => Effect.flip(transport.send(sms(), heldLease)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(failures.map(({ _tag }) => _tag).sort(), [
        "ProviderUnavailable",
        "ProviderUnavailable",
        "SendDeferred"
      ])
    })
  )

  it.scopedLive("defers a text whose later segment fails, because its first one was taken", () =>
    Effect.gen(function* () {
      let submitted = 0
      const { port } = yield* serverFor((pdu, { respond }) => {
        submitted += 1
        respond(pdu, submitted === 1 ? 0 : 0x45, Buffer.of(0x31, 0))
      })
      const transport = yield* smppTransportTo(port)
      const failure = yield* Effect.flip(transport.send(sms({ text: longText }), heldLease))
      assert.deepInclude(failure, { _tag: "SendDeferred", mayBeTaken: true, response: "ESME_RSUBMITFAIL 0x00000045" })
    })
  )

  it.scopedLive("sends a later segment again when the server throttles", () =>
    Effect.gen(function* () {
      let submitted = 0
      const { port } = yield* serverFor((pdu, { respond }) => {
        submitted += 1
        respond(pdu, submitted === 2 ? 0x58 : 0, Buffer.of(0x30 + submitted, 0))
      })
      const transport = yield* smppTransportTo(port)
      const { replies } = yield* transport.send(sms({ text: longText }), heldLease)
      assert.deepStrictEqual(replies[0]?.providerMessageIds, ["1", "3"])
    })
  )

  it.scopedLive("writes nothing when the lease has ended", () =>
    Effect.gen(function* () {
      let submitted = 0
      const { port } = yield* serverFor((pdu, { respond }) => {
        submitted += 1
        respond(pdu)
      })
      const transport = yield* smppTransportTo(port)
      const failure = yield* Effect.flip(transport.send(sms(), { organizationId, isHeld: () => false }))
      assert.strictEqual(failure._tag, "SendWithdrawn")
      assert.strictEqual(submitted, 0)
    })
  )

  it.scopedLive("acknowledges each copy of a receipt, also late ones", () =>
    Effect.gen(function* () {
      const acknowledged = yield* Queue.unbounded<number>()
      const { connections, port } = yield* scriptedServer((pdu, { respond }) => {
        if (pdu.command === responseTo(Command.deliverSm)) acknowledged.unsafeOffer(pdu.status)
        else respond(pdu, 0, Buffer.from("7\0"))
      })
      const transport = yield* smppTransportTo(port)
      yield* transport.send(sms(), heldLease)
      const receipt = encodeShortMessage({
        source: { ton: 1, npi: 1, address: "4917000000000" },
        destination: { ton: 1, npi: 1, address: "4915100000000" },
        esmClass: 4,
        registeredDelivery: 0,
        dataCoding: 0,
        shortMessage: Buffer.from("id:7 stat:DELIVRD err:000"),
        tlvs: new Map()
      })
      for (const sequence of [1, 2, 1]) connections[0]?.write({ command: Command.deliverSm, sequence, body: receipt })
      assert.deepStrictEqual([...(yield* Queue.takeN(acknowledged, 3))], [0, 0, 0])
      const receipts = yield* Queue.takeN(transport.events, 3)
      for (const event of receipts) {
        assert.deepInclude(event, { _tag: "Receipt", status: "delivered" })
      }
      // The storage fails: the server gets a temporary error, and sends the receipt again later.
      transport.storage.isDown = true
      connections[0]?.write({ command: Command.deliverSm, sequence: 3, body: receipt })
      assert.strictEqual(yield* Queue.take(acknowledged), 0x64)
    })
  )

  it.scopedLive("keeps at most `window` submits outstanding", () =>
    Effect.gen(function* () {
      const held: Array<() => void> = []
      let max = 0
      const { port } = yield* serverFor((pdu, { respond }) => {
        held.push(() => respond(pdu))
        max = Math.max(max, held.length)
        if (held.length === 3) for (const release of held.splice(0)) release()
      })
      const transport = yield* smppTransportTo(port, { limits: { window: 3 } })
      const send = transport.send(sms(), heldLease)
      yield* Effect.all(
        Array.from({ length: 30 }, () => send),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(max, 3)
    })
  )

  it.scopedLive("fails at once while the server refuses the bind, and names its status", () =>
    Effect.gen(function* () {
      const { port } = yield* scriptedServer((pdu, { respond }) => respond(pdu, 0x0e, Buffer.of()))
      const transport = yield* smppTransportTo(port)
      const failure = yield* Effect.flip(transport.send(sms(), heldLease))
      assert.deepInclude(failure, {
        _tag: "ProviderUnavailable",
        response: "The bind was refused: ESME_RINVPASWD 0x0000000E"
      })
      assert.strictEqual((yield* Effect.flip(transport.probe))._tag, "ProviderUnavailable")
    })
  )

  it.scopedLive("fails when nothing listens, and when the bind has no response", () =>
    Effect.gen(function* () {
      const closed = yield* Effect.scoped(scriptedServer(() => undefined))
      const unreachable = yield* smppTransportTo(closed.port)
      assert.include((yield* Effect.flip(unreachable.probe)).response, "ECONNREFUSED")
      const silent = yield* scriptedServer(() => undefined)
      const transport = yield* smppTransportTo(silent.port, { bindTimeout: Duration.millis(200) })
      assert.include((yield* Effect.flip(transport.probe)).response, "within 200ms")
    })
  )

  it.scopedLive("connects again when the server stops responding to enquire_link", () =>
    Effect.gen(function* () {
      let isAlive = false
      let binds = 0
      const rebound = yield* Queue.unbounded<void>()
      const { port } = yield* scriptedServer((pdu, { respond }) => {
        if (pdu.command === Command.bindTransceiver) binds += 1
        if (binds === 2) Queue.unsafeOffer(rebound, undefined)
        if (pdu.command !== Command.enquireLink || isAlive) respond(pdu)
      })
      const limits = { enquireLinkInterval: Duration.millis(100), responseTimeout: Duration.millis(200) }
      const transport = yield* smppTransportTo(port, { limits })
      yield* transport.probe
      yield* Queue.take(rebound)
      isAlive = true
      yield* Effect.eventually(transport.probe)
      assert.strictEqual((yield* transport.send(sms(), heldLease)).replies[0]?.verdict, "accepted")
    })
  )

  it.scopedLive("unbinds at shutdown", () =>
    Effect.gen(function* () {
      const unbound = yield* Deferred.make<void>()
      const { port } = yield* serverFor((pdu, { respond }) => {
        if (pdu.command === Command.unbind) Deferred.unsafeDone(unbound, Effect.void)
        respond(pdu)
      })
      yield* Effect.scoped(Effect.flatMap(smppTransportTo(port), ({ probe }) => probe))
      yield* Deferred.await(unbound)
    })
  )

  it.scopedLive("sends over TLS with a verified certificate, and refuses another one", () =>
    Effect.gen(function* () {
      yield* trusting(relayCertificate.cert)
      const good = yield* scriptedServer((pdu, { respond }) => respond(pdu), relayCertificate)
      const transport = yield* smppTransportTo(good.port, { url: `smpps://user:pw@127.0.0.1:${good.port}` })
      assert.strictEqual((yield* transport.send(sms(), heldLease)).replies[0]?.verdict, "accepted")
      const bad = yield* scriptedServer((pdu, { respond }) => respond(pdu), otherCertificate)
      const refused = yield* smppTransportTo(bad.port, { url: `smpps://user:pw@127.0.0.1:${bad.port}` })
      assert.strictEqual((yield* Effect.flip(refused.probe))._tag, "ProviderUnavailable")
    })
  )
})

describe("Hostile PDUs", () => {
  const header = (length: number, command: number) => {
    const octets = Buffer.alloc(16)
    octets.writeUInt32BE(length, 0)
    octets.writeUInt32BE(command, 4)
    octets.writeUInt32BE(7, 12)
    return octets
  }

  for (const length of [0, 4, 15, 64 * 1024 + 1, 0xffffffff]) {
    it.scopedLive(`ends the session at a declared length of ${length}, and connects again`, () =>
      Effect.gen(function* () {
        const bound = yield* Queue.unbounded<ScriptedConnection>()
        const { port } = yield* scriptedServer((pdu, connection) => {
          connection.respond(pdu)
          if (pdu.command === Command.bindTransceiver) bound.unsafeOffer(connection)
        })
        yield* smppTransportTo(port)
        const { socket } = yield* Queue.take(bound)
        socket.write(header(length, Command.deliverSm))
        yield* Queue.take(bound)
      })
    )
  }

  it.scopedLive("rejects truncated bodies and optional parameters, and goes on", () =>
    Effect.gen(function* () {
      const responses = yield* Queue.unbounded<Pdu>()
      const bound = yield* Deferred.make<ScriptedConnection>()
      const { port } = yield* scriptedServer((pdu, connection) => {
        if (pdu.command === responseTo(Command.deliverSm) || pdu.command === Command.genericNack) {
          responses.unsafeOffer(pdu)
        } else {
          connection.respond(pdu)
          Deferred.unsafeDone(bound, Effect.succeed(connection))
        }
      })
      const transport = yield* smppTransportTo(port)
      const { socket, write } = yield* Deferred.await(bound)
      const fields = [0, 1, 1, 0x31, 0, 1, 1, 0x32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      const deliver = (...octets: ReadonlyArray<number>) =>
        Effect.zipRight(
          Effect.sync(() => write({ command: Command.deliverSm, sequence: 9, body: Buffer.from(octets) })),
          Effect.map(Queue.take(responses), ({ status }) => status)
        )
      assert.strictEqual(yield* deliver(), 0x02)
      assert.strictEqual(yield* deliver(0, 1, 1, 0x31), 0x02)
      assert.strictEqual(yield* deliver(0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31, 0x31), 0x02)
      assert.strictEqual(yield* deliver(...fields, 200, 0x41), 0x02)
      assert.strictEqual(yield* deliver(...fields, 1, 0x41, 0x04), 0x02)
      assert.strictEqual(yield* deliver(...fields, 1, 0x41, 0x04, 0x27, 0xff, 0xff, 1), 0x02)
      // An unknown optional parameter is ignored.
      assert.strictEqual(yield* deliver(...fields, 1, 0x41, 0x14, 0x99, 0, 3, 1, 2, 3), 0)
      assert.deepInclude(yield* Queue.take(transport.events), { _tag: "ReceivedText", text: "A", part: null })
      // Unknown commands, data_sm among them, get generic_nack with ESME_RINVCMDID.
      write({ command: 0x103, sequence: 11 })
      assert.deepInclude(yield* Queue.take(responses), { command: Command.genericNack, status: 3, sequence: 11 })
      // A response that no request has, and a PDU in pieces of one octet.
      write({ command: responseTo(Command.submitSm), sequence: 0x7fffffff })
      const octets = Buffer.concat([header(16 + fields.length + 2, Command.deliverSm), Buffer.of(...fields, 1, 0x42)])
      for (const octet of octets) socket.write(Buffer.of(octet))
      assert.deepInclude(yield* Queue.take(transport.events), { text: "B" })
      assert.strictEqual((yield* transport.send(sms(), heldLease)).replies[0]?.verdict, "accepted")
    })
  )

  it.scopedLive("ends the session when a response has the command of another request", () =>
    Effect.gen(function* () {
      const { port } = yield* serverFor((pdu, { write }) =>
        write({ command: responseTo(Command.deliverSm), sequence: pdu.sequence })
      )
      const transport = yield* smppTransportTo(port)
      const failure = yield* Effect.flip(transport.send(sms(), heldLease))
      assert.deepInclude(failure, { _tag: "SendDeferred", mayBeTaken: true })
    })
  )

  it.scopedLive("survives 8,000 enquire_link and 8,000 texts at once", () =>
    Effect.gen(function* () {
      const count = 8_000
      let answered = 0
      const done = yield* Deferred.make<void>()
      const bound = yield* Deferred.make<ScriptedConnection>()
      const { port } = yield* scriptedServer((pdu, connection) => {
        if (pdu.command < Command.genericNack) {
          connection.respond(pdu)
          Deferred.unsafeDone(bound, Effect.succeed(connection))
          return
        }
        answered += 1
        if (answered === 2 * count) Deferred.unsafeDone(done, Effect.void)
      })
      const transport = yield* smppTransportTo(port)
      const { write } = yield* Deferred.await(bound)
      const body = Buffer.of(0, 1, 1, 0x31, 0, 1, 1, 0x32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0x41)
      for (let sequence = 1; sequence <= count; sequence += 1) {
        write({ command: Command.enquireLink, sequence })
        write({ command: Command.deliverSm, sequence, body })
      }
      const events = yield* Effect.fork(Queue.takeN(transport.events, count))
      yield* Deferred.await(done)
      assert.strictEqual((yield* Fiber.join(events)).length, count)
    })
  )
})
