import * as RateLimiter from "@effect/experimental/RateLimiter"
import * as RateLimiterRedis from "@effect/experimental/RateLimiter/Redis"
import { Redacted } from "effect"

/** One process keeps its limits to itself. */
export const memoryRateLimits = RateLimiter.layerStoreMemory

/** Several processes share their limits. A Redis that is away is noticed at once: requests must not wait for it. */
export const redisRateLimits = (url: Redacted.Redacted<string>) => {
  const { hostname, password, pathname, port, protocol, username } = new URL(Redacted.value(url))
  const database = Number.parseInt(pathname.slice(1), 10)
  return RateLimiterRedis.layerStore({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? 6379 : Number(port),
    ...(username === "" ? {} : { username: decodeURIComponent(username) }),
    ...(password === "" ? {} : { password: decodeURIComponent(password) }),
    ...(Number.isNaN(database) ? {} : { db: database }),
    ...(protocol === "rediss:" ? { tls: {} } : {}),
    prefix: "switchboard:",
    commandTimeout: 200,
    connectTimeout: 2_000,
    maxRetriesPerRequest: 1
  })
}
