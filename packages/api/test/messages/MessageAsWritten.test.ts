import { Message } from "@switchboard/domain/messages/Message"
import { Page } from "@switchboard/domain/Page"
import { Arbitrary, FastCheck, Schema } from "effect"
import { assert, it } from "vitest"

const written = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

it("the JSON of a message is its encoded form", () => {
  const encode = Schema.encodeSync(Message)
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(Message), (message) => {
      assert.deepStrictEqual(written(message), written(encode(message)))
    }),
    { numRuns: 50 }
  )
})

it("so is that of a page of them", () => {
  const encode = Schema.encodeSync(Page(Message))
  FastCheck.assert(
    FastCheck.property(Arbitrary.make(Page(Message)), (page) => {
      assert.deepStrictEqual(written(page), written(encode(page)))
    }),
    { numRuns: 20 }
  )
})
