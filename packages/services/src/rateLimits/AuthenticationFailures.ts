import { RateLimitedError } from "@switchboard/domain/Errors"
import { Clock, Effect } from "effect"
import { LRUCache } from "lru-cache"
import { addressNetwork } from "../network/AddressNetwork.js"
import { countRefusal, RateLimitSettings } from "./RateLimits.js"

/** The burst size, in seconds of the rate. */
const burstSeconds = 2

/** The wrong passwords of an address that are allowed at once, and the seconds in which as many are allowed again. */
const accountFailures = 10
const accountSeconds = 15 * 60

/** The maximum number of counted networks and of addresses. The one with the oldest failure is evicted first. */
const maxBuckets = 10_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Token buckets by key: at most `size` tokens, which return at `rate` a second. */
const tokenBuckets = (size: number, rate: number) => {
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets })
  const tokensAt = (key: string, now: number) => {
    const { at, tokens } = buckets.get(key) ?? { tokens: size, at: now }
    return Math.min(size, tokens + (Math.max(0, now - at) / 1_000) * rate)
  }
  const isEmpty = (tokens: number) =>
    tokens >= 1
      ? Effect.void
      : Effect.zipRight(
          countRefusal("failures"),
          new RateLimitedError({ retryAfterSeconds: Math.max(1, Math.ceil((1 - tokens) / rate)) })
        )
  return {
    /** Fails if the bucket of a key is empty. */
    check: (key: string) => Effect.flatMap(Clock.currentTimeMillis, (now) => isEmpty(tokensAt(key, now))),
    /** Takes a token; fails if there is none. */
    take: (key: string) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const tokens = tokensAt(key, now)
        buckets.set(key, { tokens: tokens < 1 ? tokens : tokens - 1, at: now })
        return isEmpty(tokens)
      }),
    /** Returns a token. */
    give: (key: string) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        buckets.set(key, { tokens: tokensAt(key, now) + 1, at: now })
      })
  }
}

/** Counts failed authentications by client network and by account, with token buckets. */
export class AuthenticationFailures extends Effect.Service<AuthenticationFailures>()(
  "services/AuthenticationFailures",
  {
    effect: Effect.map(RateLimitSettings, ({ failures: rate }) => {
      const networks = tokenBuckets(rate * burstSeconds, rate)
      const accounts = tokenBuckets(accountFailures, accountFailures / accountSeconds)

      /** Counts a failure of a client address; fails above the limit. Valid credentials are not limited. */
      const count = (address: string) => (rate === 0 ? Effect.void : networks.take(addressNetwork(address)))

      /** Fails if a client address is above the limit: for credentials that can be guessed. */
      const check = (address: string) => (rate === 0 ? Effect.void : networks.check(addressNetwork(address)))

      /**
       * Attempts the authentication of an account. An attempt counts as failed until it succeeds, so that concurrent ones
       * do not exceed the limit. Fails above the limit. A success does not reset the count: a right password would
       * otherwise allow more guesses of a code.
       */
      const attempt = <E, R>(account: string, authenticate: Effect.Effect<boolean, E, R>) =>
        Effect.zipRight(
          accounts.take(account),
          authenticate.pipe(
            Effect.tap((isValid) => (isValid ? accounts.give(account) : Effect.void)),
            Effect.tapErrorCause(() => accounts.give(account))
          )
        )

      return { count, check, attempt } as const
    })
  }
) {}
