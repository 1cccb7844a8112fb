import { Context, Data, Effect, Redacted, Runtime } from "effect"
import { Redis } from "ioredis"
import { urlCredentials } from "../UrlCredentials.js"

/** The URL (`redis:` or `rediss:`) of the Redis server for rate limits. */
export class RedisUrl extends Context.Tag("channels/RedisUrl")<RedisUrl, Redacted.Redacted<string>>() {}

/** Connection options from a `redis:` or `rediss:` URL. */
const redisOptions = (text: string) => {
  const url = new URL(text)
  const { pass, user } = urlCredentials(url)
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 6379 : Number(url.port),
    db: Number.parseInt(url.pathname.slice(1), 10) || 0,
    ...(user === "" ? {} : { username: user }),
    ...(pass === "" ? {} : { password: pass }),
    ...(url.protocol === "rediss:" ? { tls: {} } : {})
  }
}

/** A command that Redis did not answer in time, or rejected. */
export class RedisCommandFailed extends Data.TaggedError("RedisCommandFailed")<{ readonly cause: unknown }> {}

/**
 * A Redis connection that reconnects automatically. Commands fail at once while Redis is unreachable. The loss of the
 * connection and its recovery are logged once each.
 */
export const redisConnection = Effect.gen(function* () {
  const url = yield* RedisUrl
  const log = Runtime.runSync(yield* Effect.runtime<never>())
  let isLost = false
  const lost = (reason: string) => {
    if (!isLost) log(Effect.logWarning("Redis can't be reached: rate limits are off until it is back", reason))
    isLost = true
  }
  const recovered = () => {
    if (isLost) log(Effect.logInfo("Redis is back"))
    isLost = false
  }
  const closed = () => lost("The connection was closed")
  const redis = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Redis({
          ...redisOptions(Redacted.value(url)),
          lazyConnect: true,
          enableOfflineQueue: false,
          autoResendUnfulfilledCommands: false,
          maxRetriesPerRequest: 1,
          commandTimeout: 200,
          connectTimeout: 2_000
        })
    ),
    (open) => Effect.sync(() => open.off("close", closed).disconnect())
  )
  redis.on("error", ({ message }: Error) => lost(message))
  redis.on("close", closed)
  redis.on("ready", recovered)
  // A failure is logged by the error event. The service starts without Redis.
  yield* Effect.tryPromise(() => redis.connect()).pipe(Effect.timeout("2 seconds"), Effect.ignore)
  return <A>(execute: (redis: Redis) => Promise<A>) =>
    Effect.tryPromise({
      try: async () => {
        const result = await execute(redis)
        recovered()
        return result
      },
      catch: (cause) => {
        lost(cause instanceof Error ? cause.message : String(cause))
        return new RedisCommandFailed({ cause })
      }
    })
})
