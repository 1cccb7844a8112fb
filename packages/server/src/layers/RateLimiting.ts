import * as RateLimiter from "@effect/experimental/RateLimiter"
import { memoryRateLimits, redisRateLimits } from "@switchboard/channels/rateLimits/RateLimitStores"
import { RateLimitSettings, RateLimits } from "@switchboard/services/rateLimits/RateLimits"
import { Layer, Option } from "effect"
import type { Settings } from "../Settings.js"

/** Token buckets in memory, or shared in Redis. */
const RateLimiterLive = ({ redisUrl }: Settings) =>
  RateLimiter.layer.pipe(
    Layer.provide(Option.match(redisUrl, { onNone: () => memoryRateLimits, onSome: redisRateLimits }))
  )

/** The rate limits of organizations and endpoints: one set of buckets for all parts of a process. */
export const RateLimitsLive = (settings: Settings) =>
  RateLimits.Default.pipe(
    Layer.provideMerge(RateLimiterLive(settings)),
    Layer.provide(
      Layer.succeed(RateLimitSettings, { requests: settings.rateLimitRequests, sends: settings.rateLimitSends })
    )
  )
