import * as RateLimiter from "@effect/experimental/RateLimiter"
import { Duration, Effect, Layer, Schema } from "effect"
import { redisConnection } from "./RedisConnection.js"
import { fixedWindowScript, tokenBucketScript } from "./RedisScripts.js"

/** One process keeps its limits to itself. */
export const memoryRateLimits = RateLimiter.layerStoreMemory

const decodeCount = Schema.decodeUnknownSync(Schema.Number)
const decodeWindow = Schema.decodeUnknownSync(Schema.Tuple(Schema.Number, Schema.Number))

/**
 * Several processes share their limits. The library's own Redis store would print every error of its connection, and
 * could not be closed while Redis is away.
 */
export const redisRateLimits = Layer.scoped(
  RateLimiter.RateLimiterStore,
  Effect.map(redisConnection, (ask) => {
    const run = <A>(script: string, key: string, args: ReadonlyArray<string | number>, decode: (reply: unknown) => A) =>
      Effect.mapError(
        ask(async (redis) => decode(await redis.eval(script, 1, `switchboard:limits:${key}`, ...args))),
        ({ cause }) => new RateLimiter.RateLimitStoreError({ message: "Redis could not count", cause })
      )
    return RateLimiter.RateLimiterStore.of({
      tokenBucket: ({ allowOverflow, key, limit, refillRate, tokens }) =>
        run(
          tokenBucketScript,
          `bucket:${key}`,
          [tokens, limit, Duration.toMillis(refillRate), allowOverflow ? 1 : 0],
          decodeCount
        ),
      fixedWindow: ({ key, limit, refillRate, tokens }) =>
        run(
          fixedWindowScript,
          `window:${key}`,
          [tokens, Duration.toMillis(refillRate), ...(limit === undefined ? [] : [limit])],
          decodeWindow
        )
    })
  })
)
