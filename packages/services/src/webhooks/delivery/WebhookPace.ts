import * as RateLimiter from "@effect/experimental/RateLimiter"
import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import { Duration, Effect } from "effect"

/** How fast each endpoint is called, over all processes that share the rate limits. */
export class WebhookPace extends Effect.Service<WebhookPace>()("services/WebhookPace", {
  effect: Effect.map(RateLimiter.RateLimiter, (limiter) => {
    /** Spends one call; how long to wait before it, if there is none left now. */
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
              // A store that is away must not stop what is to be told: it has said so itself.
              Effect.catchAll((error) => Effect.succeed(error.reason === "Exceeded" ? error.retryAfter : Duration.zero))
            )
    return { wait } as const
  })
}) {}
