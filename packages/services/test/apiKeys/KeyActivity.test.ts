import { assert, describe, it } from "@effect/vitest"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { KeyActivity } from "@switchboard/services/apiKeys/KeyActivity"
import { KeyActivityRepo, type KeyUse } from "@switchboard/services/apiKeys/KeyActivityRepo"
import { ManagedKeys } from "@switchboard/services/apiKeys/ManagedKeys"
import { Context, Effect, Exit, Layer, Metric, MetricState, Option, Scope, TestClock } from "effect"

const unused = () => Effect.dieMessage("not used in this test")

const use = (at: number): Omit<KeyUse, "id"> => ({
  organizationId: OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f"),
  apiKeyId: ApiKeyId.make("01a1fc1d-cf9d-766f-8d6a-43d494c1944f"),
  method: "GET",
  path: "/v1/messages",
  route: "/v1/messages",
  status: 200,
  latencyMs: 1,
  ipAddress: "192.0.2.7",
  at
})

/** Starts KeyActivity over a repository that stores with `write`. */
const started = (write: (uses: ReadonlyArray<KeyUse>) => Effect.Effect<void, ServiceUnavailableError>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const repo = Layer.succeed(KeyActivityRepo, { insert: write, list: unused, stats: unused })
    const keys = Layer.succeed(
      ManagedKeys,
      ManagedKeys.make({ get: unused, list: unused, create: unused, update: unused, rotate: unused, remove: unused })
    )
    const context = yield* Layer.buildWithScope(KeyActivity.Default.pipe(Layer.provide(Layer.merge(repo, keys))), scope)
    return { ...Context.get(context, KeyActivity), stop: Scope.close(scope, Exit.void) }
  })

const unavailable = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

/** Runs all fibers until each is suspended. */
const settleFibers = Effect.repeatN(Effect.yieldNow(), 200)

/** The counter of dropped entries. It is global, so tests compare it before and after. */
const dropped = Effect.map(Metric.snapshot, (pairs) =>
  Option.fromNullable(pairs.find(({ metricKey }) => metricKey.name === "switchboard_key_activity_dropped_total")).pipe(
    Option.map(({ metricState }) => (MetricState.isCounterState(metricState) ? Number(metricState.count) : 0)),
    Option.getOrElse(() => 0)
  )
)

const times = (uses: ReadonlyArray<KeyUse>) => uses.map(({ at }) => at)

describe("KeyActivity", () => {
  it.effect("stores entries in batches once a second, and the rest when it stops", () =>
    Effect.gen(function* () {
      const batches: Array<ReadonlyArray<KeyUse>> = []
      const { record, stop } = yield* started((uses) => Effect.sync(() => void batches.push(uses)))
      yield* settleFibers
      for (let at = 0; at < 2_500; at++) record(use(at))
      yield* settleFibers
      assert.isEmpty(batches)
      yield* TestClock.adjust("1 second")
      yield* settleFibers
      assert.deepStrictEqual(
        batches.map(({ length }) => length),
        [2_000, 500]
      )
      assert.deepStrictEqual(
        times(batches.flat()),
        Array.from({ length: 2_500 }, (_, at) => at)
      )
      assert.strictEqual(new Set(batches.flat().map(({ id }) => id)).size, 2_500)
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(batches.length, 2)
      record(use(7))
      yield* stop
      assert.deepStrictEqual(times(batches[2] ?? []), [7])
    })
  )

  it.effect("retries a batch with the same ids after an outage", () =>
    Effect.gen(function* () {
      const attempts: Array<ReadonlyArray<KeyUse>> = []
      const failures = [unavailable, unavailable]
      const { record, stop } = yield* started((uses) =>
        Effect.suspend(() => {
          attempts.push(uses)
          return failures.pop() ?? Effect.void
        })
      )
      yield* settleFibers
      record(use(1))
      yield* TestClock.adjust("1 second")
      record(use(2))
      yield* TestClock.adjust("1 second")
      yield* TestClock.adjust("1 second")
      yield* settleFibers
      assert.deepStrictEqual(attempts.map(times), [[1], [1], [1], [2]])
      assert.strictEqual(new Set(attempts.slice(0, 3).map(([first]) => first?.id)).size, 1)
      yield* stop
    })
  )

  it.effect("drops the oldest entries when the buffer is full, and counts them", () =>
    Effect.gen(function* () {
      const capacity = 20_000
      const written: Array<KeyUse> = []
      let isUnavailable = true
      const { record, stop } = yield* started((uses) =>
        Effect.suspend(() => (isUnavailable ? unavailable : Effect.sync(() => void written.push(...uses))))
      )
      yield* settleFibers
      const before = yield* dropped
      for (let at = 0; at < capacity + 30; at++) record(use(at))
      yield* TestClock.adjust("1 second")
      yield* settleFibers
      assert.strictEqual((yield* dropped) - before, 30)
      isUnavailable = false
      yield* stop
      assert.deepStrictEqual(
        times(written),
        Array.from({ length: capacity }, (_, at) => at + 30)
      )
    })
  )

  it.effect("drops a batch that fails with a defect and stores the next one", () =>
    Effect.gen(function* () {
      const written: Array<KeyUse> = []
      const { record, stop } = yield* started((uses) =>
        uses.some(({ at }) => at === 13)
          ? Effect.die(new Error("no such column"))
          : Effect.sync(() => void written.push(...uses))
      )
      yield* settleFibers
      const before = yield* dropped
      record(use(13))
      yield* TestClock.adjust("1 second")
      yield* settleFibers
      record(use(14))
      yield* TestClock.adjust("1 second")
      yield* settleFibers
      assert.deepStrictEqual(times(written), [14])
      assert.strictEqual((yield* dropped) - before, 1)
      yield* stop
    })
  )
})
