import * as RateLimiter from "@effect/experimental/RateLimiter"
import { Duration, Effect, Layer, Schema } from "effect"
import { redisConnection } from "./RedisConnection.js"
import { fixedWindowScript, tokenBucketScript } from "./RedisScripts.js"

/** Stores the limits in memory, for one process. */
export const memoryRateLimits = RateLimiter.layerStoreMemory

const decodeCount = Schema.decodeUnknownSync(Schema.Number)
const decodeWindow = Schema.decodeUnknownSync(Schema.Tuple(Schema.Number, Schema.Number))

/**
 * Stores the limits in Redis, for several processes. The library's own Redis store prints every connection error and
 * can't be closed while Redis is unreachable.
 */
export const redisRateLimits = Layer.scoped(
  RateLimiter.RateLimiterStore,
  Effect.map(redisConnection, (execute) => {
    const run = <A>(script: string, key: string, args: ReadonlyArray<string | number>, decode: (reply: unknown) => A) =>
      Effect.mapError(
        execute(async (redis) => decode(await redis.eval(script, 1, `switchboard:limits:${key}`, ...args))),
        ({ cause }) =>
          new RateLimiter.RateLimitStoreError({ message: "Redis could not evaluate the rate limit", cause })
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
