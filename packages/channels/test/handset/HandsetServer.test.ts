import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { HandsetServer, HandsetSettings } from "@switchboard/channels/handset/HandsetServer"
import { Command, encodeBind, encodePdu, type Pdu, PduReader } from "@switchboard/channels/sms/Pdu"
import { HandsetRepo } from "@switchboard/services/handset/HandsetRepo"
import { Effect, Layer, Queue } from "effect"
import { handsetFixture } from "../sms/SmsFixture.js"

/** A connection that sends any octets. */
const rawPeer = (port: number) =>
  Effect.gen(function* () {
    const received = yield* Queue.unbounded<Pdu | "closed">()
    const socket = yield* Effect.acquireRelease(
      Effect.sync(() => connect(port, "127.0.0.1")),
      (open) => Effect.sync(() => open.destroy())
    )
    const reader = new PduReader()
    socket.on("error", () => undefined)
    socket.on("close", () => received.unsafeOffer("closed"))
    socket.on("data", (chunk) => {
      reader.push(chunk)
      for (let pdu = reader.next(); pdu !== null && pdu !== "invalid"; pdu = reader.next()) received.unsafeOffer(pdu)
    })
    const statusOf = (command: number, body: Uint8Array = Buffer.of(), sequence = 5) =>
      Effect.gen(function* () {
        socket.write(encodePdu({ command, status: 0, sequence, body }))
        const pdu = yield* Queue.take(received)
        return pdu === "closed" ? pdu : pdu.status
      })
    return { socket, statusOf, received }
  })

const bind = encodeBind({ systemId: "any", password: "thing" })

describe("The local handset", () => {
  it.scopedLive("refuses texts before the bind, a second bind, unknown commands and truncated bodies", () =>
    Effect.gen(function* () {
      const { port, stored } = yield* handsetFixture()
      const { statusOf } = yield* rawPeer(port)
      assert.strictEqual(yield* statusOf(Command.submitSm), 0x04)
      assert.strictEqual(yield* statusOf(Command.bindTransceiver, Buffer.from("no end")), 0x02)
      assert.strictEqual(yield* statusOf(Command.bindTransceiver, bind), 0)
      assert.strictEqual(yield* statusOf(Command.bindTransceiver, bind), 0x05)
      assert.strictEqual(yield* statusOf(0x103), 0x03)
      assert.strictEqual(yield* statusOf(Command.submitSm, Buffer.of(0, 1, 1)), 0x02)
      assert.strictEqual(yield* statusOf(Command.enquireLink), 0)
      assert.strictEqual(yield* statusOf(Command.unbind), 0)
      assert.deepStrictEqual(stored, [])
    })
  )

  it.scopedLive("ends a session with an invalid length, and goes on with others", () =>
    Effect.gen(function* () {
      const { port } = yield* handsetFixture()
      const hostile = yield* rawPeer(port)
      const other = yield* rawPeer(port)
      hostile.socket.write(Buffer.from("ffffffff000000040000000000000001", "hex"))
      assert.deepInclude(yield* Queue.take(hostile.received), { command: Command.genericNack, status: 0x02 })
      assert.strictEqual(yield* Queue.take(hostile.received), "closed")
      assert.strictEqual(yield* other.statusOf(Command.bindTransceiver, bind), 0)
    })
  )

  it.scopedLive("names the setting when its port is in use", () =>
    Effect.gen(function* () {
      const { port } = yield* handsetFixture()
      const failure = yield* Layer.build(HandsetServer).pipe(
        Effect.provideService(HandsetSettings, { host: "127.0.0.1", port }),
        Effect.provide(Layer.mock(HandsetRepo, {})),
        Effect.flip
      )
      assert.include(failure.message, "HANDSET_SMPP_PORT")
    })
  )
})
