import { assert, describe, it } from "@effect/vitest"
import { EventId } from "@switchboard/domain/events/EventType"
import { newId } from "@switchboard/services/NewId"
import { Array, DateTime, Effect, Order, TestClock } from "effect"

describe("newId", () => {
  it.effect("returns ids that sort in the order of creation, also within a millisecond", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_763_629_800_000)
      const first = yield* Effect.replicateEffect(newId(EventId), 1_000)
      yield* TestClock.adjust("1 millis")
      const later = yield* Effect.replicateEffect(newId(EventId), 1_000)
      const ids = [...first, ...later].map(({ id }) => id)
      assert.deepStrictEqual(Array.sort(ids, Order.string), ids)
      assert.strictEqual(new Set(ids).size, 2_000)
      assert.deepStrictEqual(first[0]?.now, DateTime.unsafeMake(1_763_629_800_000))
      assert.match(ids[0] ?? "", /^019aa[0-9a-f]{3}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab]/)
    })
  )
})
