import * as RateLimiter from "@effect/experimental/RateLimiter"
import { assert, describe, it } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RateLimitSettings, RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { Context, Effect, Layer, Logger, Ref } from "effect"

const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250000")

/** Limits over the store in memory, which can be away. */
const limits = (requests: number) =>
  Effect.gen(function* () {
    const away = yield* Ref.make(false)
    const memory = yield* Effect.map(
      Layer.build(RateLimiter.layerStoreMemory),
      Context.get(RateLimiter.RateLimiterStore)
    )
    const orAway = <A>(count: Effect.Effect<A, RateLimiter.RateLimiterError>) =>
      Effect.flatMap(Ref.get(away), (isAway) =>
        isAway ? new RateLimiter.RateLimitStoreError({ message: "The store could not count" }) : count
      )
    const store = RateLimiter.RateLimiterStore.of({
      tokenBucket: (options) => orAway(memory.tokenBucket(options)),
      fixedWindow: (options) => orAway(memory.fixedWindow(options))
    })
    const context = yield* Layer.build(
      RateLimits.Default.pipe(
        Layer.provide(RateLimiter.layer),
        Layer.provide(Layer.succeed(RateLimiter.RateLimiterStore, store)),
        Layer.provide(Layer.succeed(RateLimitSettings, { requests, sends: 0 }))
      )
    )
    return { away, limits: Context.get(context, RateLimits) }
  })

describe("Rate limits", () => {
  it.scoped("let a burst of two seconds through, each organization's own", () =>
    Effect.gen(function* () {
      const {
        limits: { request }
      } = yield* limits(2)
      const left = yield* Effect.replicateEffect(request(organization), 4)
      assert.deepStrictEqual(
        left.map((budget) => budget?.remaining),
        [3, 2, 1, 0]
      )
      assert.strictEqual((yield* Effect.flip(request(organization))).retryAfterSeconds, 1)
      assert.strictEqual((yield* request(other))?.remaining, 3)
    })
  )

  it.scoped("count a request that costs several, up to a full bucket", () =>
    Effect.gen(function* () {
      const {
        limits: { request }
      } = yield* limits(2)
      assert.strictEqual((yield* request(organization, 3))?.remaining, 1)
      assert.strictEqual((yield* Effect.flip(request(organization, 3))).retryAfterSeconds, 1)
      assert.strictEqual((yield* request(other, 10))?.remaining, 0)
    })
  )

  it.scoped("are off at zero", () =>
    Effect.gen(function* () {
      const {
        limits: { request, send }
      } = yield* limits(0)
      assert.deepStrictEqual(yield* Effect.all([request(organization), send(organization)]), [null, null])
    })
  )

  it.scoped("are off while their store is away, and leave it to the store to say so", () => {
    const logged: Array<string> = []
    const recorder = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void logged.push(String(message)))
    )
    return Effect.gen(function* () {
      const {
        away,
        limits: { request }
      } = yield* limits(2)
      yield* request(organization)
      yield* Ref.set(away, true)
      const unlimited = yield* Effect.replicateEffect(request(organization), 20)
      assert.deepStrictEqual(new Set(unlimited), new Set([null]))
      yield* Ref.set(away, false)
      assert.strictEqual((yield* request(organization))?.remaining, 2)
      assert.isEmpty(logged)
    }).pipe(Effect.provide(recorder))
  })
})
