import { HttpServerRequest } from "@effect/platform"
import { RateLimitedError, UnauthorizedError } from "@switchboard/domain/Errors"
import { countRefusal } from "@switchboard/services/rateLimits/RateLimits"
import { Clock, Effect } from "effect"
import { LRUCache } from "lru-cache"
import { addressNetwork, clientAddress, isWithin } from "./ClientAddress.js"
import { HttpSettings } from "./HttpSettings.js"

/** The burst size, in seconds of the rate. */
const burstSeconds = 2

/** The maximum number of counted networks. The network with the oldest failure is evicted first. */
const maxNetworks = 10_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Counts failed authentications by network, with token buckets. `rate` is failures per second. */
const failureBuckets = (rate: number) => {
  const buckets = new LRUCache<string, Bucket>({ max: maxNetworks })

  /** Counts a failure. Returns 0 within the limit, otherwise the seconds until the next failure is within it. */
  return (network: string, now: number): number => {
    const { at, tokens } = buckets.get(network) ?? { tokens: rate * burstSeconds, at: now }
    const filled = Math.min(rate * burstSeconds, tokens + (Math.max(0, now - at) / 1_000) * rate)
    const isLimited = filled < 1
    buckets.set(network, { tokens: isLimited ? filled : filled - 1, at: now })
    return isLimited ? Math.max(1, Math.ceil((1 - filled) / rate)) : 0
  }
}

/** Limits failed authentications by client address. Valid keys and sessions are not limited. */
export class AuthenticationLimit extends Effect.Service<AuthenticationLimit>()("api/AuthenticationLimit", {
  effect: Effect.map(HttpSettings, ({ failedAuthentications, trustedProxies }) => {
    const isTrusted = isWithin(trustedProxies)
    const count = failureBuckets(failedAuthentications)

    const failed = Effect.fnUntraced(function* (error: UnauthorizedError) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const now = yield* Clock.currentTimeMillis
      const retryAfterSeconds = count(addressNetwork(clientAddress(request, isTrusted)), now)
      if (retryAfterSeconds === 0) return yield* error
      yield* countRefusal("failures")
      return yield* new RateLimitedError({ retryAfterSeconds })
    })

    /** Fails with 429 instead of 401 if the address of the request exceeds the limit. */
    const limit = <A, E, R>(
      authenticate: Effect.Effect<A, E | UnauthorizedError, R>
    ): Effect.Effect<A, E | UnauthorizedError | RateLimitedError, R | HttpServerRequest.HttpServerRequest> =>
      failedAuthentications === 0
        ? authenticate
        : Effect.catchIf(
            authenticate,
            (error): error is UnauthorizedError => error instanceof UnauthorizedError,
            failed
          )

    return { limit } as const
  })
}) {}
