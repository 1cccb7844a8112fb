import { assert, describe, it } from "@effect/vitest"
import { Effect, Queue } from "effect"
import { heldLease } from "../Fixtures.js"
import { isNetSmppInstalled, perl, submitsOf, withoutNetSmpp } from "./NetSmpp.js"
import { handsetFixture, smppTransportTo, sms, textsAtLimits } from "./SmsFixture.js"

describe("The transport with Net::SMPP as the server", () => {
  it.scopedLive.skipIf(!isNetSmppInstalled)(
    `sends octets at the limits and receives receipts and a text${withoutNetSmpp}`,
    () =>
      Effect.gen(function* () {
        const line = yield* perl("smpp-server.pl")
        const port = Number((yield* line).replace("port ", ""))
        yield* Effect.scoped(
          Effect.gen(function* () {
            const transport = yield* smppTransportTo(port)
            assert.strictEqual(yield* line, "bind user p w")
            for (const text of textsAtLimits) {
              const { replies } = yield* transport.send(sms({ text, from: "+4915100000000" }), heldLease)
              const expected = submitsOf(sms({ text }))
              const ids = replies[0]?.providerMessageIds ?? []
              assert.strictEqual(ids.length, expected.length)
              const seen: Array<string> = []
              while (seen.length < expected.length) {
                const next = yield* line
                if (next.startsWith("submit")) seen.push(next)
                else assert.strictEqual(next, "receipt 0")
              }
              assert.deepStrictEqual(seen, expected)
              for (const id of ids) {
                const event = yield* Queue.take(transport.events)
                assert.strictEqual(event._tag, "Receipt")
                assert.include(event._tag === "Receipt" ? event.providerMessageIds : [], id)
              }
            }
            yield* transport.send(sms({ to: "+4917000000009", from: "12345" }), heldLease)
            assert.strictEqual((yield* Queue.take(transport.events))._tag, "Receipt")
            assert.deepInclude(yield* Queue.take(transport.events), {
              _tag: "ReceivedText",
              from: "+4917000000009",
              text: "@ café"
            })
          })
        )
        const last: Array<string> = []
        while (last.at(-1) !== "unbind") last.push(yield* line)
        assert.isTrue(last.some((one) => one.startsWith("submit 3/0/12345 1/1/4917000000009 ")))
      })
  )
})

describe("The local handset with Net::SMPP as the client", () => {
  it.scopedLive.skipIf(!isNetSmppInstalled)(`takes a text and sends its receipt${withoutNetSmpp}`, () =>
    Effect.gen(function* () {
      const handset = yield* handsetFixture()
      const line = yield* perl("smpp-client.pl", `${handset.port}`, "4917000000001")
      const submitted = yield* line
      const [text] = handset.stored
      assert.strictEqual(submitted, `submitted 0 ${text?.id}`)
      assert.deepInclude(text, { from: "+4915100000000", to: "+4917000000001", text: "Hello from Perl" })
      const receipt = yield* line
      assert.include(receipt, `delivered 4 id:${text?.id}`)
      assert.include(receipt, "stat:UNDELIV err:001")
    })
  )
})
