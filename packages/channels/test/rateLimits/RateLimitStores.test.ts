import * as RateLimiter from "@effect/experimental/RateLimiter"
import { assert, describe, it } from "@effect/vitest"
import { memoryRateLimits, redisRateLimits } from "@switchboard/channels/rateLimits/RateLimitStores"
import { RedisUrl } from "@switchboard/channels/rateLimits/RedisConnection"
import { Context, Duration, Effect, Either, Layer, Logger, Redacted, Schedule, type Scope } from "effect"
import { Redis } from "ioredis"
import { hasRedis, redisServer } from "./RedisServer.js"

type Store = Layer.Layer<RateLimiter.RateLimiterStore>

/** A rate limiter of one process. */
const limiter = (store: Store) =>
  Effect.map(
    Layer.build(RateLimiter.layer.pipe(Layer.provide(Layer.fresh(store)))),
    Context.get(RateLimiter.RateLimiter)
  )

const bucket = { algorithm: "token-bucket", limit: 20, window: "1 hour", key: "sends:one" } as const

const redisAt = (url: Redacted.Redacted<string>) => Layer.provide(redisRateLimits, Layer.succeed(RedisUrl, url))

/** Records the log messages. */
const recording = () => {
  const logged: Array<string> = []
  const recorder = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void logged.push(String(message)))
  )
  return { logged, recorder }
}

const shortened = (line: string) => (line.includes("can't be reached") ? "lost" : line)

/** A store on a new Redis server. */
const onRedis = Effect.gen(function* () {
  const server = yield* redisServer()
  yield* server.start
  return { server, store: redisAt(Redacted.make(`redis://${server.address}`)) }
})

const contract = (store: Effect.Effect<Store, never, Scope.Scope>) => {
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

describe("Rate limits in memory", () => contract(Effect.succeed(memoryRateLimits)))

describe.skipIf(!hasRedis)("Rate limits in Redis (skipped without a redis-server on the PATH)", () => {
  contract(Effect.map(onRedis, ({ store }) => store))

  it.scopedLive("shares the limits between processes, and deletes full buckets", () =>
    Effect.gen(function* () {
      const { server, store } = yield* onRedis
      const [here, there] = yield* Effect.all([limiter(store), limiter(store)])
      yield* here.consume({ ...bucket, tokens: 12 })
      assert.strictEqual((yield* there.consume({ ...bucket, tokens: 8 })).remaining, 0)
      assert.strictEqual((yield* Effect.flip(here.consume(bucket))).reason, "Exceeded")
      const redis = yield* Effect.acquireRelease(
        Effect.sync(() => new Redis(`redis://${server.address}`)),
        (open) => Effect.sync(() => open.disconnect())
      )
      const [key = assert.fail("no key"), ...others] = yield* Effect.promise(() => redis.keys("*"))
      assert.isEmpty(others)
      const lifetime = yield* Effect.promise(() => redis.pttl(key))
      assert.isAbove(lifetime, Duration.toMillis("59 minutes"))
      assert.isBelow(lifetime, Duration.toMillis("64 minutes"))
    })
  )

  it.scopedLive("never exceeds the limit when tokens are released", () =>
    Effect.gen(function* () {
      const { consume } = yield* limiter((yield* onRedis).store)
      assert.strictEqual((yield* consume({ ...bucket, tokens: -5 })).remaining, 20)
      assert.strictEqual((yield* consume(bucket)).remaining, 19)
    })
  )

  it.scopedLive("uses the password and the database of the URL", () =>
    Effect.gen(function* () {
      const server = yield* redisServer("p@ss/w:rd")
      yield* server.start
      const { consume } = yield* limiter(
        redisAt(Redacted.make(`redis://:${encodeURIComponent("p@ss/w:rd")}@${server.address}/3`))
      )
      yield* consume(bucket)
      const redis = yield* Effect.acquireRelease(
        Effect.sync(() => new Redis(`redis://${server.address}/3`, { password: "p@ss/w:rd" })),
        (open) => Effect.sync(() => open.disconnect())
      )
      assert.strictEqual(yield* Effect.promise(() => redis.dbsize()), 1)
    })
  )

  it.scopedLive("fails at once while Redis is down, logs it once, and recovers", () => {
    const { logged, recorder } = recording()
    return Effect.gen(function* () {
      const server = yield* redisServer()
      const { consume } = yield* limiter(redisAt(Redacted.make(`redis://${server.address}`)))
      assert.strictEqual((yield* Effect.flip(consume(bucket))).reason, "StoreError")

      const afterRecovery = Effect.retry(consume(bucket), Schedule.spaced("20 millis"))
      yield* server.start
      assert.strictEqual((yield* afterRecovery).remaining, 19)
      yield* server.kill
      yield* Effect.repeatN(Effect.flip(consume(bucket)), 20)
      yield* server.start
      assert.strictEqual((yield* afterRecovery).remaining, 19)

      assert.deepStrictEqual(logged.map(shortened), ["lost", "Redis is back", "lost", "Redis is back"])
    }).pipe(Effect.provide(recorder))
  })

  it.scopedLive("times out while Redis does not respond, logs it once, and recovers", () => {
    const { logged, recorder } = recording()
    return Effect.gen(function* () {
      const { server, store } = yield* onRedis
      const { consume } = yield* limiter(store)
      yield* consume(bucket)
      yield* server.freeze
      assert.strictEqual((yield* Effect.flip(consume(bucket))).reason, "StoreError")
      yield* Effect.replicateEffect(Effect.flip(consume(bucket)), 5, { concurrency: "unbounded" })
      yield* server.thaw
      yield* Effect.retry(consume(bucket), Schedule.spaced("20 millis"))
      yield* consume(bucket)
      assert.deepStrictEqual(logged.map(shortened), ["lost", "Redis is back"])
    }).pipe(Effect.provide(recorder))
  })
})
