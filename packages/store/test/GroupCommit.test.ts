import { assert, it } from "@effect/vitest"
import { groupCommit } from "@switchboard/store/database/GroupCommit"
import { Deferred, Effect, Exit, Fiber, Ref, Scheduler, Scope, TestClock } from "effect"

/** Writes that end on request, and the items of each. */
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
    { maxBatch: 100 }
  )
  const submit = (...items: ReadonlyArray<number>) =>
    Effect.tap(Effect.fork(Effect.forEach(items, write, { concurrency: "unbounded" })), () => TestClock.adjust(0))
  return { submit, end, written: Ref.get(written) }
})

it.scoped("adds items that arrive during a write to the next batch, and returns each its own result", () =>
  Effect.gen(function* () {
    const { submit, end, written } = yield* setUp
    const first = yield* submit(1)
    const next = yield* submit(2, 3)
    const last = yield* submit(4)
    assert.deepStrictEqual(yield* written, [[1]])
    yield* Deferred.succeed(end, undefined)
    assert.deepStrictEqual(yield* Effect.all([first, next, last].map(Fiber.join)), [[10], [20, 30], [40]])
    assert.deepStrictEqual(yield* written, [[1], [2, 3], [4]])
  })
)

it.scoped("divides callers that repeat their requests into equal batches", () =>
  Effect.gen(function* () {
    const sizes = yield* Ref.make<ReadonlyArray<number>>([])
    const write = yield* groupCommit<number, number, never>(
      (items) =>
        Ref.update(sizes, (all) => [...all, items.length]).pipe(
          Effect.zipRight(Effect.interruptible(Effect.sleep("10 millis"))),
          Effect.as(items.map(Effect.succeed))
        ),
      { maxBatch: 100 }
    )
    const repeat = (caller: number) =>
      Effect.fork(Effect.forever(Effect.zipRight(write(caller), Effect.sleep("5 millis"))))
    yield* repeat(1)
    yield* TestClock.adjust(0)
    for (let caller = 2; caller <= 32; caller++) yield* repeat(caller)
    for (let round = 0; round < 4; round++) yield* TestClock.adjust("10 millis")
    assert.deepStrictEqual(yield* Ref.get(sizes), [1, 16, 16, 16, 16])
  })
)

/** The order of writes and results, of one item, two that wait for it, and one that waits for these. */
const orderOf = Effect.fnUntraced(function* (options: { readonly resultsFirst?: boolean }) {
  const steps = yield* Ref.make<ReadonlyArray<string>>([])
  const step = (name: string, ...items: ReadonlyArray<number>) =>
    Ref.update(steps, (all) => [...all, `${name} ${items.join(" ")}`])
  const write = yield* groupCommit<number, number, never>(
    (items) =>
      step("write", ...items).pipe(
        Effect.zipRight(Effect.interruptible(Effect.sleep("10 millis"))),
        Effect.as(items.map(Effect.succeed))
      ),
    { maxBatch: 100, ...options }
  )
  const submit = (...items: ReadonlyArray<number>) =>
    Effect.forEach(items, (item) => Effect.fork(Effect.tap(write(item), step("result", item))))
  const first = yield* submit(1)
  yield* TestClock.adjust(0)
  const second = yield* submit(2, 3)
  yield* TestClock.adjust("10 millis")
  yield* Fiber.joinAll(first)
  const last = yield* submit(4)
  yield* TestClock.adjust("10 millis")
  yield* Fiber.joinAll(second)
  yield* TestClock.adjust("10 millis")
  yield* Fiber.joinAll(last)
  return yield* Ref.get(steps)
})

it.scoped("starts the next batch before the results of one, if it is as large", () =>
  Effect.gen(function* () {
    const results = ["result 1", "write 2 3"]
    const rest = ["result 2", "result 3", "write 4", "result 4"]
    assert.deepStrictEqual(yield* orderOf({}), ["write 1", ...results.toReversed(), ...rest])
    assert.deepStrictEqual(yield* orderOf({ resultsFirst: true }), ["write 1", ...results, ...rest])
  })
)

it.scoped("starts a second write after 50 ms, and no third", () =>
  Effect.gen(function* () {
    const { submit, end, written } = yield* setUp
    yield* submit(1)
    const next = yield* submit(2, 3)
    yield* TestClock.adjust("49 millis")
    assert.deepStrictEqual(yield* written, [[1]])
    yield* TestClock.adjust("1 millis")
    assert.deepStrictEqual(yield* written, [[1], [2, 3]])
    const last = yield* submit(4)
    yield* TestClock.adjust("1 second")
    assert.deepStrictEqual(yield* written, [[1], [2, 3]])
    yield* Deferred.succeed(end, undefined)
    assert.deepStrictEqual(yield* Effect.all([next, last].map(Fiber.join)), [[20, 30], [40]])
  })
)

/** The steps of its fibers that a group commit needs to stop after some batches. */
const stepsToStop = Effect.fnUntraced(function* (batches: number) {
  const scheduler = new Scheduler.MixedScheduler(2_048)
  let steps = 0
  const counting: Scheduler.Scheduler = {
    scheduleTask: (task, priority, fiber) => scheduler.scheduleTask(task, priority, fiber),
    shouldYield: (fiber) => {
      steps += 1
      return scheduler.shouldYield(fiber)
    }
  }
  const scope = yield* Scope.make()
  const write = yield* groupCommit<number, number, never>((items) => Effect.succeed(items.map(Effect.succeed)), {
    maxBatch: 100
  }).pipe(Effect.withScheduler(counting), Scope.extend(scope))
  for (let batch = 0; batch < batches; batch++) yield* write(batch)
  const before = steps
  yield* Scope.close(scope, Exit.void)
  return steps - before
})

it.effect("stops in as many steps after a hundred batches as after one: its fibers' stacks do not grow", () =>
  Effect.gen(function* () {
    assert.strictEqual(yield* stepsToStop(100), yield* stepsToStop(1))
  })
)
