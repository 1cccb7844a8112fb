import { Message } from "@switchboard/domain/messages/Message"
import { Arbitrary, FastCheck, Schema } from "effect"
import { assert, it } from "vitest"

const json = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it("the JSON of a message equals its encoded form", () => {
  const encode = Schema.encodeSync(Message)
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(Message), (message) => {
      assert.deepStrictEqual(json(message), json(encode(message)))
    }),
    { numRuns: 50 }
  )
})
