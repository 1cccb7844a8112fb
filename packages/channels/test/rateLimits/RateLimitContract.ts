import * as RateLimiter from "@effect/experimental/RateLimiter"
import { assert, it } from "@effect/vitest"
import { Context, Duration, Effect, Either, Layer, Schedule, type Scope } from "effect"

export type Store = Layer.Layer<RateLimiter.RateLimiterStore>

/** A rate limiter of one process. */
export const limiter = (store: Store) =>
  Effect.map(
    Layer.build(RateLimiter.layer.pipe(Layer.provide(Layer.fresh(store)))),
    Context.get(RateLimiter.RateLimiter)
  )

export const bucket = { algorithm: "token-bucket", limit: 20, window: "1 hour", key: "sends:one" } as const

/** What every store of rate limits does. */
export const rateLimitContract = (store: Effect.Effect<Store, never, Scope.Scope>) => {
  it.scopedLive("allows exactly the limit of concurrent requests", () =>
    Effect.gen(function* () {
      const { consume } = yield* limiter(yield* store)
      const results = yield* Effect.replicateEffect(Effect.either(consume(bucket)), 50, { concurrency: "unbounded" })
      const allowed = results.filter(Either.isRight).map(({ right }) => right.remaining)
      assert.sameMembers(
        allowed,
        Array.from({ length: 20 }, (_, index) => index)
      )
      for (const result of results.filter(Either.isLeft)) {
        assert.strictEqual(result.left.reason, "Exceeded")
        if (result.left.reason === "Exceeded") assert.strictEqual(Duration.toSeconds(result.left.retryAfter), 180)
      }
    })
  )

  it.scopedLive("counts keys separately, and several tokens at once", () =>
    Effect.gen(function* () {
      const { consume } = yield* limiter(yield* store)
      assert.strictEqual((yield* consume({ ...bucket, tokens: 15 })).remaining, 5)
      assert.strictEqual((yield* Effect.flip(consume({ ...bucket, tokens: 6 }))).reason, "Exceeded")
      assert.strictEqual((yield* consume({ ...bucket, tokens: 5 })).remaining, 0)
      assert.strictEqual((yield* consume({ ...bucket, key: "sends:two" })).remaining, 19)
    })
  )

  it.scopedLive("releases tokens", () =>
    Effect.gen(function* () {
      const { consume } = yield* limiter(yield* store)
      yield* consume({ ...bucket, tokens: 20 })
      yield* consume({ ...bucket, tokens: -1 })
      assert.strictEqual((yield* consume(bucket)).remaining, 0)
    })
  )

  it.scopedLive("refills over time", () =>
    Effect.gen(function* () {
      const { consume } = yield* limiter(yield* store)
      const quick = { ...bucket, limit: 10, window: "500 millis", tokens: 10 } as const
      yield* consume(quick)
      const failure = yield* Effect.flip(consume(quick))
      assert.strictEqual(failure.reason, "Exceeded")
      const again = yield* Effect.retry(consume(quick), Schedule.spaced("10 millis"))
      assert.strictEqual(again.remaining, 0)
    })
  )

  it.scopedLive("counts fixed windows", () =>
    Effect.gen(function* () {
      const { consume } = yield* limiter(yield* store)
      const window = { ...bucket, algorithm: "fixed-window", limit: 3 } as const
      const left = yield* Effect.replicateEffect(consume(window), 3)
      assert.deepStrictEqual(
        left.map(({ remaining }) => remaining),
        [2, 1, 0]
      )
      const failure = yield* Effect.flip(consume(window))
      assert.strictEqual(failure.reason, "Exceeded")
      assert.strictEqual((yield* Effect.flip(consume(window))).reason, "Exceeded")
    })
  )
}
