import { assert, describe, it } from "@effect/vitest"
import { makeHandsetInbox } from "@switchboard/channels/handset/HandsetInbox"
import { encodeSegments } from "@switchboard/channels/sms/ConcatenatedText"
import type { ShortMessage } from "@switchboard/channels/sms/Pdu"
import { segmentText } from "@switchboard/domain/sms/SmsText"
import { HandsetRepo, type ReceivedHandsetText } from "@switchboard/services/handset/HandsetRepo"
import { Effect, TestClock } from "effect"

/** The submit_sm of each segment. */
const messages = (text: string, reference = 7): ReadonlyArray<ShortMessage> =>
  encodeSegments(segmentText(text), reference).map((segment) => ({
    ...segment,
    source: { ton: 5, npi: 0, address: "MyShop" },
    destination: { ton: 1, npi: 1, address: "4917000000000" },
    registeredDelivery: 1,
    tlvs: new Map()
  }))

const makeInbox = Effect.gen(function* () {
  const stored: Array<ReceivedHandsetText> = []
  const inbox = yield* Effect.provideService(makeHandsetInbox, HandsetRepo, {
    insert: (text) => Effect.sync(() => void stored.push(text)),
    list: () => Effect.dieMessage("list is not used"),
    find: () => Effect.dieMessage("find is not used")
  })
  return { ...inbox, stored }
})

const long = `${"a".repeat(153)}${"b".repeat(153)}c`

describe("HandsetInbox", () => {
  it.scoped("joins parts in any order, and takes a repeated part once", () =>
    Effect.gen(function* () {
      const { receive, stored } = yield* makeInbox
      const [first = assert.fail(), second = assert.fail(), third = assert.fail()] = messages(long)
      yield* receive(third)
      const { id } = yield* receive(first)
      yield* receive(third)
      assert.deepStrictEqual(stored, [])
      yield* receive(second)
      assert.deepStrictEqual(
        stored.map((text) => ({ id: text.id as string, from: text.from, text: text.text, segments: text.segments })),
        [{ id, from: "MyShop", text: long, segments: 3 }]
      )
    })
  )

  it.scoped("does not join parts of different references", () =>
    Effect.gen(function* () {
      const { receive, stored } = yield* makeInbox
      yield* Effect.forEach(messages(long, 1).slice(0, 2), receive)
      yield* Effect.forEach(messages(long, 2).slice(2), receive)
      assert.deepStrictEqual(stored, [])
    })
  )

  it.scoped("stores an incomplete text after 5 minutes with the parts that arrived", () =>
    Effect.gen(function* () {
      const { receive, stored } = yield* makeInbox
      yield* Effect.forEach(messages(long).slice(1), receive)
      yield* TestClock.adjust("4 minutes")
      assert.deepStrictEqual(stored, [])
      yield* TestClock.adjust("2 minutes")
      assert.deepStrictEqual(
        stored.map(({ text }) => text),
        [`${"b".repeat(153)}c`]
      )
    })
  )

  it.scoped("joins a surrogate pair that the parts split", () =>
    Effect.gen(function* () {
      const { receive, stored } = yield* makeInbox
      const [model = assert.fail()] = messages("ж")
      const part = (number: number, hex: string) => ({
        ...model,
        esmClass: 0x40,
        shortMessage: Buffer.from(`0500030102${number.toString(16).padStart(2, "0")}${hex}`, "hex")
      })
      yield* receive(part(1, "0041d83d"))
      yield* receive(part(2, "de000042"))
      assert.strictEqual(stored[0]?.text, "A😀B")
    })
  )
})
