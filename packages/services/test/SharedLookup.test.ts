import { assert, describe, it } from "@effect/vitest"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { sharedLookup } from "@switchboard/services/SharedLookup"
import { Deferred, Effect, Either, Fiber, TestClock } from "effect"

/** Look-ups that end when the test says so, and how many have begun. */
const slow = Effect.gen(function* () {
  const result = yield* Deferred.make<string, "away">()
  let begun = 0
  const lookup = (key: string) =>
    Effect.zipRight(
      Effect.sync(() => {
        begun += 1
      }),
      Effect.map(Deferred.await(result), (value) => `${key} ${value}`)
    )
  const shared = yield* sharedLookup({ capacity: 10, timeToLive: "1 second", lookup })
  return { result, shared, begun: () => begun }
})

describe("sharedLookup", () => {
  it.effect("gives every caller the value of the one look-up that the first of them began and left", () =>
    Effect.gen(function* () {
      const { begun, result, shared } = yield* slow
      const first = yield* Effect.fork(shared.get("a"))
      yield* Effect.yieldNow()
      const others = yield* Effect.forEach([1, 2, 3], () => Effect.fork(shared.get("a")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(result, "found")
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(others)), ["a found", "a found", "a found"])
      assert.strictEqual(yield* shared.get("a"), "a found")
      assert.strictEqual(begun(), 1)
    })
  )

  it.effect("ends a caller that is interrupted before the look-up ends", () =>
    Effect.gen(function* () {
      const { shared } = yield* slow
      const only = yield* Effect.fork(shared.get("a"))
      yield* Effect.yieldNow()
      assert.strictEqual((yield* Fiber.interrupt(only))._tag, "Failure")
    })
  )

  it.effect("gives a failure to the callers that wait for it and to no later one", () =>
    Effect.gen(function* () {
      let isAway = true
      const shared = yield* sharedLookup({
        capacity: 10,
        timeToLive: "1 second",
        lookup: (key: string) => Effect.suspend(() => (isAway ? Effect.fail("away") : Effect.succeed(key)))
      })
      assert.deepStrictEqual(yield* Effect.either(shared.get("a")), Either.left("away"))
      isAway = false
      yield* TestClock.adjust("1 millis")
      assert.strictEqual(yield* shared.get("a"), "a")
    })
  )

  it.effect("looks up without the deadline of the caller that began", () =>
    Effect.gen(function* () {
      const shared = yield* sharedLookup({
        capacity: 10,
        timeToLive: "1 second",
        lookup: () => requestDeadline
      })
      assert.isNull(yield* Effect.locally(shared.get("a"), requestDeadline, new RequestDeadline()))
    })
  )
})
