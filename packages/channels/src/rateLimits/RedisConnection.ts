import { Context, Data, Effect, Redacted, Runtime } from "effect"
import { Redis } from "ioredis"
import { urlCredentials } from "../UrlCredentials.js"

/** The Redis of the rate limits: a `redis:` or `rediss:` URL. */
export class RedisUrl extends Context.Tag("channels/RedisUrl")<RedisUrl, Redacted.Redacted<string>>() {}

/** Where a `redis:` or `rediss:` URL points to, and how one logs in there. */
const redisAddress = (text: string) => {
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

/** A question that Redis did not answer in time, or refused. */
export class RedisUnanswered extends Data.TaggedError("RedisUnanswered")<{ readonly cause: unknown }> {}

/**
 * Asks a Redis over a connection that comes back by itself. One that is away, or does not answer, is noticed at once:
 * what needs it now fails now, and the operator is told once when it goes and once when it is back.
 */
export const redisConnection = Effect.gen(function* () {
  const url = yield* RedisUrl
  const log = Runtime.runSync(yield* Effect.runtime<never>())
  let away = false
  const lost = (why: string) => {
    if (!away) log(Effect.logWarning("Redis can't be reached: rate limits are off until it is back", why))
    away = true
  }
  const back = () => {
    if (away) log(Effect.logInfo("Redis is back"))
    away = false
  }
  const closed = () => lost("The connection was closed")
  const redis = yield* Effect.acquireRelease(
    Effect.sync(
      () =>
        new Redis({
          ...redisAddress(Redacted.value(url)),
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
  redis.on("ready", back)
  // Whether it is there or not is for the error event to say: the service starts without it.
  yield* Effect.tryPromise(() => redis.connect()).pipe(Effect.timeout("2 seconds"), Effect.ignore)
  return <A>(ask: (redis: Redis) => Promise<A>) =>
    Effect.tryPromise({
      try: async () => {
        const answer = await ask(redis)
        back()
        return answer
      },
      catch: (cause) => {
        lost(cause instanceof Error ? cause.message : String(cause))
        return new RedisUnanswered({ cause })
      }
    })
})
