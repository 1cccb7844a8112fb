import { HttpServerRequest } from "@effect/platform"
import { RateLimitedError, UnauthorizedError } from "@switchboard/domain/Errors"
import { Clock, Effect } from "effect"
import { addressNetwork, clientAddress, isWithin } from "./ClientAddress.js"
import { HttpSettings } from "./HttpSettings.js"

/** Bursts of two seconds' worth are let through. */
const burst = 2

/** Networks that are counted at the same time: the one that failed longest ago is forgotten first. */
const maxNetworks = 10_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Failed authentications of each network, in token buckets of bounded number. */
const failureBuckets = (rate: number) => {
  const buckets = new Map<string, Bucket>()

  /** Counts a failure. Returns the seconds until the next one is let through, or 0 for this one. */
  return (network: string, now: number): number => {
    const { at, tokens } = buckets.get(network) ?? { tokens: rate * burst, at: now }
    const filled = Math.min(rate * burst, tokens + (Math.max(0, now - at) / 1_000) * rate)
    const isLimited = filled < 1
    buckets.delete(network)
    buckets.set(network, { tokens: isLimited ? filled : filled - 1, at: now })
    const [oldest] = buckets.keys()
    if (buckets.size > maxNetworks && oldest !== undefined) buckets.delete(oldest)
    return isLimited ? Math.max(1, Math.ceil((1 - filled) / rate)) : 0
  }
}

/** The limit of failed authentications of one address. A valid key or session is never refused. */
export class AuthenticationLimit extends Effect.Service<AuthenticationLimit>()("api/AuthenticationLimit", {
  effect: Effect.map(HttpSettings, ({ failedAuthentications, trustedProxies }) => {
    const isTrusted = isWithin(trustedProxies)
    const count = failureBuckets(failedAuthentications)

    const failed = Effect.fnUntraced(function* (error: UnauthorizedError) {
      const request = yield* HttpServerRequest.HttpServerRequest
      const now = yield* Clock.currentTimeMillis
      const retryAfterSeconds = count(addressNetwork(clientAddress(request, isTrusted)), now)
      return yield* retryAfterSeconds === 0 ? error : new RateLimitedError({ retryAfterSeconds })
    })

    /** Fails with 429 in place of 401 where the address of the request has failed too often. */
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
