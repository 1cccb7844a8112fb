import { assert, describe, it } from "@effect/vitest"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { sharedLookup } from "@switchboard/services/SharedLookup"
import { Deferred, Effect, Either, Fiber, TestClock } from "effect"

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
  const shared = yield* sharedLookup({ capacity: 10, timeToLive: "1 second", lookup, idOf: (key) => key })
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
        idOf: (key: string) => key,
        lookup: (key: string) =>
          Effect.suspend(() => (isUnavailable ? Effect.fail("unavailable") : Effect.succeed(key)))
      })
      assert.deepStrictEqual(yield* Effect.either(shared.get("a")), Either.left("unavailable"))
      isUnavailable = false
      assert.strictEqual(yield* shared.get("a"), "a")
    })
  )

  it.effect("looks a key up again after the time to live, after an invalidation, and for an unusable value", () =>
    Effect.gen(function* () {
      let started = 0
      const shared = yield* sharedLookup({
        capacity: 10,
        timeToLive: "1 second",
        idOf: ({ name }: { readonly name: string }) => name,
        lookup: () => Effect.sync(() => ++started)
      })
      const key = { name: "a" }
      assert.deepStrictEqual([yield* shared.get(key), yield* shared.get({ ...key })], [1, 1])
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* shared.get(key), 2)
      yield* shared.invalidateWhere(({ name }) => name === "b")
      assert.strictEqual(yield* shared.get(key), 2)
      yield* shared.invalidate(key)
      assert.strictEqual(yield* shared.get(key), 3)
      yield* shared.invalidateWhere(({ name }) => name === "a")
      assert.strictEqual(yield* shared.get(key), 4)
      assert.strictEqual(yield* shared.get(key, (value) => value > 4), 5)
    })
  )

  it.effect("does not cache the result of a lookup that was invalidated while it was pending", () =>
    Effect.gen(function* () {
      const { result, shared, started } = yield* pendingLookup
      const caller = yield* Effect.fork(shared.get("a"))
      yield* Effect.yieldNow()
      yield* shared.invalidate("a")
      yield* Deferred.succeed(result, "found")
      assert.strictEqual(yield* Fiber.join(caller), "a found")
      yield* shared.get("a")
      assert.strictEqual(started(), 2)
    })
  )

  it.effect("runs the lookup without the request deadline of the first caller", () =>
    Effect.gen(function* () {
      const shared = yield* sharedLookup({
        capacity: 10,
        timeToLive: "1 second",
        idOf: (key: string) => key,
        lookup: () => requestDeadline
      })
      assert.isNull(yield* Effect.locally(shared.get("a"), requestDeadline, new RequestDeadline()))
    })
  )
})
