import * as RateLimiter from "@effect/experimental/RateLimiter"
import { RateLimitedError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, Duration, Effect, Metric } from "effect"
import { byLabels } from "../ByLabels.js"

const refusals = byLabels(
  Metric.counter("switchboard_rate_limited_total", {
    description: "Requests refused with 429, by limit: requests, sends or failures (failed authentications)",
    incremental: true
  })
)

/** Counts a request that a rate limit refuses. */
export const countRefusal = (limit: "requests" | "sends" | "failures") => Metric.update(refusals({ limit }), 1)

/** The rate limits of an organization and of a client network, per second; 0 disables a limit. */
export class RateLimitSettings extends Context.Tag("services/RateLimitSettings")<
  RateLimitSettings,
  {
    /** `RATE_LIMIT_REQUESTS` */
    readonly requests: number
    /** `RATE_LIMIT_SENDS` */
    readonly sends: number
    /** `RATE_LIMIT_FAILURES`: failed authentications of a client network. */
    readonly failures: number
  }
>() {}

/** The remaining budget of a limit, as in the `RateLimit-*` headers. */
export interface RateBudget {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** The burst size in seconds of the limit. */
const burst = 2

const seconds = (duration: Duration.Duration) => Math.max(1, Math.ceil(Duration.toSeconds(duration)))

/** Token buckets, one for each limit and organization, so that organizations don't affect each other. */
export class RateLimits extends Effect.Service<RateLimits>()("services/RateLimits", {
  effect: Effect.gen(function* () {
    const limiter = yield* RateLimiter.RateLimiter
    const settings = yield* RateLimitSettings

    const consume = (kind: "requests" | "sends", organization: OrganizationId, tokens: number) => {
      const rate = settings[kind]
      if (rate === 0) return Effect.succeed(null)
      return limiter
        .consume({
          algorithm: "token-bucket",
          key: `${kind}:${organization}`,
          limit: rate * burst,
          window: Duration.seconds(burst),
          tokens
        })
        .pipe(
          Effect.map(({ limit, remaining, resetAfter }): RateBudget | null => ({
            limit,
            remaining,
            resetSeconds: Math.ceil(Duration.toSeconds(resetAfter))
          })),
          Effect.catchAll((error) =>
            error.reason === "Exceeded"
              ? Effect.zipRight(
                  countRefusal(kind),
                  new RateLimitedError({ retryAfterSeconds: seconds(error.retryAfter) })
                )
              : // An unavailable store disables the limit, so that mail is not stopped. The store itself logs that.
                Effect.succeed(null)
          )
        )
    }

    /** Takes `cost` requests, at most a full bucket. */
    const request = (organization: OrganizationId, cost = 1) =>
      consume("requests", organization, Math.min(cost, settings.requests * burst))
    /** Takes one new message. */
    const send = (organization: OrganizationId) => consume("sends", organization, 1)
    /** Returns the token of a message that turned out to be a repeat. */
    const refundSend = (organization: OrganizationId) => Effect.ignore(consume("sends", organization, -1))

    return { request, send, refundSend, requestLimit: settings.requests * burst } as const
  })
}) {}
