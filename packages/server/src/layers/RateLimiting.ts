import * as RateLimiter from "@effect/experimental/RateLimiter"
import { memoryRateLimits, redisRateLimits } from "@switchboard/channels/rateLimits/RateLimitStores"
import { RateLimitSettings, RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { Layer, Option } from "effect"
import type { Settings } from "../Settings.js"

/** Token buckets in memory, or shared in Redis. */
export const RateLimiterLive = ({ redisUrl }: Settings) =>
  RateLimiter.layer.pipe(
    Layer.provide(Option.match(redisUrl, { onNone: () => memoryRateLimits, onSome: redisRateLimits }))
  )

/** How much an organization may ask. */
export const RateLimitsLive = (settings: Settings) =>
  RateLimits.Default.pipe(
    Layer.provide(RateLimiterLive(settings)),
    Layer.provide(
      Layer.succeed(RateLimitSettings, { requests: settings.rateLimitRequests, sends: settings.rateLimitSends })
    )
  )
