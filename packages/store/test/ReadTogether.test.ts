import { SqlError } from "@effect/sql/SqlError"
import { assert, it } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { readTogether } from "@switchboard/store/database/LookUpTogether"
import { Deferred, Effect, Fiber, FiberRef, Ref, TestClock } from "effect"
import { v7 } from "uuid"

interface Statement {
  readonly use: OrganizationId | "work" | null
  readonly deadline: RequestDeadline | null
  readonly keys: ReadonlyArray<number>
}

const own = OrganizationId.make(v7())
const other = OrganizationId.make(v7())

/** Reads of which those of `own` end on request, and their statements. A key is its number of rows. */
const setUp = Effect.gen(function* () {
  const statements = yield* Ref.make<ReadonlyArray<Statement>>([])
  const end = yield* Deferred.make<void>()
  const read = yield* readTogether<number, number>(
    (organization) => (keys) =>
      Effect.gen(function* () {
        const use = yield* FiberRef.get(connectionUse)
        const deadline = yield* FiberRef.get(requestDeadline)
        yield* Ref.update(statements, (all) => [...all, { use, deadline, keys }])
        if (organization === own) yield* Deferred.await(end)
        return keys.map((key) => key * 10)
      }),
    (key) => key
  )
  // The scope ends after running statements.
  yield* Effect.addFinalizer(() => Deferred.succeed(end, undefined))
  const request = (organization: OrganizationId, ...keys: ReadonlyArray<number>) =>
    Effect.forEach(keys, (key) => read(organization, key), { concurrency: "unbounded" }).pipe(
      Effect.locally(requestDeadline, new RequestDeadline()),
      Effect.fork,
      Effect.tap(() => TestClock.adjust(0))
    )
  return { end: Deferred.succeed(end, undefined), request, statements: Ref.get(statements) }
})

it.scoped("gives the reads of an organization a statement of its own, in its share of connections", () =>
  Effect.gen(function* () {
    const { end, request, statements } = yield* setUp
    const first = yield* request(own, 1)
    const next = yield* request(own, 2, 3)
    const others = yield* request(other, 4)
    assert.deepStrictEqual(yield* Fiber.join(others), [40])
    assert.deepStrictEqual(yield* statements, [
      { use: own, deadline: null, keys: [1] },
      { use: other, deadline: null, keys: [4] }
    ])
    yield* end
    assert.deepStrictEqual(yield* Effect.all([first, next].map(Fiber.join)), [[10], [20, 30]])
    assert.deepStrictEqual((yield* statements).at(-1), { use: own, deadline: null, keys: [2, 3] })
  })
)

it.scoped("reads at most 210 rows with a statement, or the rows of one read", () =>
  Effect.gen(function* () {
    const { end, request, statements } = yield* setUp
    const all = [yield* request(own, 1), yield* request(own, 300, 100, 100, 20, 5, 5)]
    yield* end
    yield* Fiber.joinAll(all)
    assert.deepStrictEqual(
      (yield* statements).map(({ keys }) => keys),
      [[1], [300], [100, 100], [20, 5, 5]]
    )
  })
)

it.effect("repeats a statement that a pooler has closed", () =>
  Effect.gen(function* () {
    const attempts = yield* Ref.make(0)
    const read = yield* readTogether<number, number>(
      () => (keys) =>
        Effect.filterOrFail(
          Effect.as(
            Ref.updateAndGet(attempts, (count) => count + 1),
            keys
          ),
          () => false,
          () => new SqlError({ cause: { code: "26000" } })
        ),
      () => 1
    )
    const reading = yield* Effect.fork(read(own, 1))
    yield* TestClock.adjust("1 second")
    assert.strictEqual((yield* Effect.flip(Fiber.join(reading)))._tag, "ServiceUnavailableError")
    assert.strictEqual(yield* Ref.get(attempts), 6)
  }).pipe(Effect.scoped)
)
