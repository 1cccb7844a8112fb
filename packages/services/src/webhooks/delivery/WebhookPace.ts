import * as RateLimiter from "@effect/experimental/RateLimiter"
import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import { Duration, Effect } from "effect"

/** The rate limit of each endpoint, over all processes that share the rate limits. */
export class WebhookPace extends Effect.Service<WebhookPace>()("services/WebhookPace", {
  effect: Effect.map(RateLimiter.RateLimiter, (limiter) => {
    /** Takes one call. Returns zero, or the wait until the next one. */
    const wait = (endpoint: WebhookEndpointId, { maxPerSecond }: WebhookRateLimit): Effect.Effect<Duration.Duration> =>
      maxPerSecond === undefined
        ? Effect.succeed(Duration.zero)
        : limiter
            .consume({
              algorithm: "token-bucket",
              key: `webhooks:${endpoint}`,
              limit: maxPerSecond,
              window: Duration.seconds(1),
              tokens: 1
            })
            .pipe(
              Effect.as(Duration.zero),
              // An unavailable store disables the limit. The store itself logs that.
              Effect.catchAll((error) => Effect.succeed(error.reason === "Exceeded" ? error.retryAfter : Duration.zero))
            )
    return { wait } as const
  })
}) {}
