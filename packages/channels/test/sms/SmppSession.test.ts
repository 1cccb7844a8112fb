import { connect } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Command, type Pdu } from "@switchboard/channels/sms/Pdu"
import { defaultLimits, RequestResult, SmppSession } from "@switchboard/channels/sms/SmppSession"
import { Effect, Queue } from "effect"
import { type ScriptedConnection, scriptedServer } from "./SmsFixture.js"

/** A session whose first request has a sequence number, with a scripted server. */
const sessionFrom = (firstSequence: number, received: (pdu: Pdu, connection: ScriptedConnection) => void) =>
  Effect.gen(function* () {
    const { port } = yield* scriptedServer(received)
    const results = yield* Queue.unbounded<RequestResult>()
    const session = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new SmppSession(
            connect(port, "127.0.0.1"),
            defaultLimits,
            { requested: () => undefined, closed: () => undefined },
            firstSequence
          )
      ),
      (open) => Effect.sync(() => open.fail("The test ended"))
    )
    const submit = () => session.request(Command.submitSm, Buffer.of(), (result) => results.unsafeOffer(result))
    return { session, submit, results }
  })

const responded = (result: RequestResult): number =>
  RequestResult.$is("Responded")(result) ? result.status : assert.fail(result._tag)

describe("SmppSession", () => {
  it.scopedLive("continues with sequence number 1 after 0x7fffffff", () =>
    Effect.gen(function* () {
      const sequences: Array<number> = []
      const { results, submit } = yield* sessionFrom(0x7ffffffe, (pdu, { respond }) => {
        sequences.push(pdu.sequence)
        respond(pdu)
      })
      for (let index = 0; index < 4; index += 1) submit()
      yield* Queue.takeN(results, 4)
      assert.deepStrictEqual(sequences, [0x7ffffffe, 0x7fffffff, 1, 2])
    })
  )

  it.scopedLive("passes each response to its request, in any order", () =>
    Effect.gen(function* () {
      const held: Array<Pdu> = []
      const { results, submit } = yield* sessionFrom(1, (pdu, { respond }) => {
        held.push(pdu)
        if (held.length === 3) for (const request of held.reverse()) respond(request, request.sequence)
      })
      for (let index = 0; index < 3; index += 1) submit()
      assert.deepStrictEqual([...(yield* Queue.takeN(results, 3))].map(responded), [3, 2, 1])
    })
  )

  it.scopedLive("does not write a request that was withdrawn while it waited", () =>
    Effect.gen(function* () {
      const held: Array<() => void> = []
      const { results, session, submit } = yield* sessionFrom(1, (pdu, { respond }) => {
        held.push(() => respond(pdu))
        if (held.length >= 10) for (const release of held.splice(0)) release()
      })
      for (let index = 0; index < 9; index += 1) submit()
      submit()
      const withdraw = session.request(Command.submitSm, Buffer.of(), () => assert.fail("must not be written"))
      withdraw()
      yield* Queue.takeN(results, 10)
      assert.strictEqual(held.length, 0)
    })
  )
})
