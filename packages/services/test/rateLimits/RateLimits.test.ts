import * as RateLimiter from "@effect/experimental/RateLimiter"
import { assert, describe, it } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RateLimitSettings, RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { Context, Effect, Layer, Logger, Ref } from "effect"

const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const other = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-523079250000")

/** Rate limits over an in-memory store that can be made unavailable. */
const limits = (requests: number) =>
  Effect.gen(function* () {
    const isUnavailable = yield* Ref.make(false)
    const memory = yield* Effect.map(
      Layer.build(RateLimiter.layerStoreMemory),
      Context.get(RateLimiter.RateLimiterStore)
    )
    const orUnavailable = <A>(count: Effect.Effect<A, RateLimiter.RateLimiterError>) =>
      Effect.flatMap(Ref.get(isUnavailable), (unavailable) =>
        unavailable ? new RateLimiter.RateLimitStoreError({ message: "The store could not count" }) : count
      )
    const store = RateLimiter.RateLimiterStore.of({
      tokenBucket: (options) => orUnavailable(memory.tokenBucket(options)),
      fixedWindow: (options) => orUnavailable(memory.fixedWindow(options))
    })
    const context = yield* Layer.build(
      RateLimits.Default.pipe(
        Layer.provide(RateLimiter.layer),
        Layer.provide(Layer.succeed(RateLimiter.RateLimiterStore, store)),
        Layer.provide(Layer.succeed(RateLimitSettings, { requests, sends: 0, failures: 0 }))
      )
    )
    return { isUnavailable, limits: Context.get(context, RateLimits) }
  })

describe("RateLimits", () => {
  it.scoped("allows a burst of two seconds for each organization", () =>
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

  it.scoped("counts a request with a cost above one, limited to a full bucket", () =>
    Effect.gen(function* () {
      const {
        limits: { request }
      } = yield* limits(2)
      assert.strictEqual((yield* request(organization, 3))?.remaining, 1)
      assert.strictEqual((yield* Effect.flip(request(organization, 3))).retryAfterSeconds, 1)
      assert.strictEqual((yield* request(other, 10))?.remaining, 0)
    })
  )

  it.scoped("disables a limit that is zero", () =>
    Effect.gen(function* () {
      const {
        limits: { request, send }
      } = yield* limits(0)
      assert.deepStrictEqual(yield* Effect.all([request(organization), send(organization)]), [null, null])
    })
  )

  it.scoped("disables the limits while the store is unavailable, and leaves logging to the store", () => {
    const logged: Array<string> = []
    const recorder = Logger.replace(
      Logger.defaultLogger,
      Logger.make(({ message }) => void logged.push(String(message)))
    )
    return Effect.gen(function* () {
      const {
        isUnavailable,
        limits: { request }
      } = yield* limits(2)
      yield* request(organization)
      yield* Ref.set(isUnavailable, true)
      const unlimited = yield* Effect.replicateEffect(request(organization), 20)
      assert.deepStrictEqual(new Set(unlimited), new Set([null]))
      yield* Ref.set(isUnavailable, false)
      assert.strictEqual((yield* request(organization))?.remaining, 2)
      assert.isEmpty(logged)
    }).pipe(Effect.provide(recorder))
  })
})
