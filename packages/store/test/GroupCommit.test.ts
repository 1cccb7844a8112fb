import { assert, it } from "@effect/vitest"
import { groupCommit } from "@switchboard/store/database/GroupCommit"
import { Deferred, Effect, Fiber, Ref, TestClock } from "effect"

/** Writes that end when they are told to, and what each was given. */
const setUp = Effect.gen(function* () {
  const written = yield* Ref.make<ReadonlyArray<ReadonlyArray<number>>>([])
  const end = yield* Deferred.make<void>()
  const write = yield* groupCommit<number, number, never>(
    (items) =>
      Effect.gen(function* () {
        yield* Ref.update(written, (batches) => [...batches, items])
        yield* Deferred.await(end)
        return items.map((item) => Effect.succeed(item * 10))
      }),
    100,
    () => 0
  )
  const ask = (...items: ReadonlyArray<number>) =>
    Effect.tap(Effect.fork(Effect.forEach(items, write, { concurrency: "unbounded" })), () => TestClock.adjust(0))
  return { ask, end, written: Ref.get(written) }
})

it.scoped("whoever comes while a batch is written is in the next one, and each gets its own answer", () =>
  Effect.gen(function* () {
    const { ask, end, written } = yield* setUp
    const first = yield* ask(1)
    const next = yield* ask(2, 3)
    const last = yield* ask(4)
    assert.deepStrictEqual(yield* written, [[1]])
    yield* Deferred.succeed(end, undefined)
    assert.deepStrictEqual(yield* Effect.all([first, next, last].map(Fiber.join)), [[10], [20, 30], [40]])
    assert.deepStrictEqual(yield* written, [[1], [2, 3, 4]])
  })
)

it.scoped("a batch that takes long does not hold up the next, but two are the most", () =>
  Effect.gen(function* () {
    const { ask, end, written } = yield* setUp
    yield* ask(1)
    const next = yield* ask(2, 3)
    yield* TestClock.adjust("49 millis")
    assert.deepStrictEqual(yield* written, [[1]])
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* written, [[1], [2, 3]])
    const last = yield* ask(4)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* written, [[1], [2, 3]])
    yield* Deferred.succeed(end, undefined)
    assert.deepStrictEqual(yield* Effect.all([next, last].map(Fiber.join)), [[20, 30], [40]])
  })
)
