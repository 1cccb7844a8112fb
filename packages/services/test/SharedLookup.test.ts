import { assert, describe, it } from "@effect/vitest"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { sharedLookup } from "@switchboard/services/SharedLookup"
import { Deferred, Effect, Either, Fiber } from "effect"

/** A shared lookup that ends when the test resolves `result`; counts its started lookups. */
const pendingLookup = Effect.gen(function* () {
  const result = yield* Deferred.make<string, "unavailable">()
  let started = 0
  const lookup = (key: string) =>
    Effect.zipRight(
      Effect.sync(() => {
        started += 1
      }),
      Effect.map(Deferred.await(result), (value) => `${key} ${value}`)
    )
  const shared = yield* sharedLookup({ capacity: 10, timeToLive: "1 second", lookup })
  return { result, shared, started: () => started }
})

describe("sharedLookup", () => {
  it.effect("shares one lookup between concurrent callers, also if the first caller is interrupted", () =>
    Effect.gen(function* () {
      const { started, result, shared } = yield* pendingLookup
      const first = yield* Effect.fork(shared.get("a"))
      yield* Effect.yieldNow()
      const others = yield* Effect.forEach([1, 2, 3], () => Effect.fork(shared.get("a")))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(result, "found")
      assert.deepStrictEqual(yield* Fiber.join(Fiber.all(others)), ["a found", "a found", "a found"])
      assert.strictEqual(yield* shared.get("a"), "a found")
      assert.strictEqual(started(), 1)
    })
  )

  it.effect("interrupts a caller while the lookup is pending", () =>
    Effect.gen(function* () {
      const { shared } = yield* pendingLookup
      const only = yield* Effect.fork(shared.get("a"))
      yield* Effect.yieldNow()
      assert.strictEqual((yield* Fiber.interrupt(only))._tag, "Failure")
    })
  )

  it.effect("does not cache a failed lookup", () =>
    Effect.gen(function* () {
      let isUnavailable = true
      const shared = yield* sharedLookup({
        capacity: 10,
        timeToLive: "1 second",
        lookup: (key: string) =>
          Effect.suspend(() => (isUnavailable ? Effect.fail("unavailable") : Effect.succeed(key)))
      })
      assert.deepStrictEqual(yield* Effect.either(shared.get("a")), Either.left("unavailable"))
      isUnavailable = false
      assert.strictEqual(yield* shared.get("a"), "a")
    })
  )

  it.effect("runs the lookup without the request deadline of the first caller", () =>
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
