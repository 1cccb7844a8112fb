import { assert, describe, it } from "@effect/vitest"
import { redisRateLimits } from "@switchboard/channels/rateLimits/RateLimitStores"
import { RedisUrl } from "@switchboard/channels/rateLimits/RedisConnection"
import { Duration, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { Redis } from "ioredis"
import { bucket, limiter, rateLimitContract } from "./RateLimitContract.js"
import { noRedis, redisServer } from "./RedisServer.js"

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

describe.skipIf(noRedis !== "")(`Rate limits in Redis${noRedis}`, () => {
  rateLimitContract(Effect.map(onRedis, ({ store }) => store))

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
