import * as RateLimiter from "@effect/experimental/RateLimiter"
import { Duration, Effect, Layer, Schema } from "effect"
import { redisConnection } from "./RedisConnection.js"

/**
 * A token bucket in one hash: the remaining tokens, and the time of the last refill. It uses the clock of the Redis
 * server, because the clocks of the processes may differ. A full bucket expires. Released tokens never exceed the limit.
 * Returns the remaining tokens, negative if the request is refused.
 */
const tokenBucketScript = `
local tokens, limit, refill = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local overflow = ARGV[4] == "1"
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local bucket = redis.call("HMGET", KEYS[1], "left", "at")
local left, at = tonumber(bucket[1]) or limit, tonumber(bucket[2]) or now
local filled = math.max(0, math.floor((now - at) / refill))
left, at = math.min(left + filled, limit), at + filled * refill
local after = math.min(left - tokens, limit)
if after >= 0 or overflow then left = after end
redis.call("HSET", KEYS[1], "left", left, "at", at)
redis.call("PEXPIRE", KEYS[1], math.ceil((limit - left + 1) * refill))
return after
`

/** A fixed-window counter that expires; each consumed token extends its lifetime. Returns count and lifetime (ms). */
const fixedWindowScript = `
local tokens, refill, limit = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local taken = tonumber(redis.call("GET", KEYS[1])) or 0
local lifetime = math.max(0, redis.call("PTTL", KEYS[1]))
local after = taken + tokens
if limit and after > limit then return { after, lifetime } end
lifetime = math.ceil(lifetime + refill * tokens)
redis.call("SET", KEYS[1], after, "PX", lifetime)
return { after, lifetime }
`

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
