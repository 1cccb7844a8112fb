import * as RateLimiter from "@effect/experimental/RateLimiter"
import { RateLimitedError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, Duration, Effect } from "effect"

/** How much an organization may ask, by the second; 0 turns a limit off. */
export class RateLimitSettings extends Context.Tag("services/RateLimitSettings")<
  RateLimitSettings,
  {
    /** `RATE_LIMIT_REQUESTS` */
    readonly requests: number
    /** `RATE_LIMIT_SENDS` */
    readonly sends: number
  }
>() {}

/** What is left of a limit, as the `RateLimit-*` headers say it. */
export interface RateBudget {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

/** Bursts of two seconds' worth are let through. */
const burst = 2

const seconds = (duration: Duration.Duration) => Math.max(1, Math.ceil(Duration.toSeconds(duration)))

/** Token buckets, one a limit and organization, so that no organization's load slows another's. */
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
              ? new RateLimitedError({ retryAfterSeconds: seconds(error.retryAfter) })
              : // A store that is away must not stop the mail: the limit is off until it is back, and the store says so.
                Effect.succeed(null)
          )
        )
    }

    /** Spends one request, or one that costs as much as several: a full bucket suffices for any. */
    const request = (organization: OrganizationId, cost = 1) =>
      consume("requests", organization, Math.min(cost, settings.requests * burst))
    /** Spends one new message. */
    const send = (organization: OrganizationId) => consume("sends", organization, 1)
    /** Gives a new message back that turned out to be a replay. */
    const refundSend = (organization: OrganizationId) => Effect.ignore(consume("sends", organization, -1))

    return { request, send, refundSend, requestLimit: settings.requests * burst } as const
  })
}) {}
