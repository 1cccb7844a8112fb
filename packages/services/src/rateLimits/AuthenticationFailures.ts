import { RateLimitedError } from "@switchboard/domain/Errors"
import { Clock, Effect } from "effect"
import { LRUCache } from "lru-cache"
import { addressNetwork } from "../network/AddressNetwork.js"
import { countRefusal, RateLimitSettings } from "./RateLimits.js"

/** The burst size, in seconds of the rate. */
const burstSeconds = 2

/** The maximum number of counted networks. The network with the oldest failure is evicted first. */
const maxNetworks = 10_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

/** Counts failed authentications by client network, with token buckets. Valid credentials are not limited. */
export class AuthenticationFailures extends Effect.Service<AuthenticationFailures>()(
  "services/AuthenticationFailures",
  {
    effect: Effect.map(RateLimitSettings, ({ failures: rate }) => {
      const buckets = new LRUCache<string, Bucket>({ max: maxNetworks })

      /** Counts a failure of a client address; fails above the limit. */
      const count = Effect.fnUntraced(function* (address: string) {
        if (rate === 0) return
        const network = addressNetwork(address)
        const now = yield* Clock.currentTimeMillis
        const { at, tokens } = buckets.get(network) ?? { tokens: rate * burstSeconds, at: now }
        const filled = Math.min(rate * burstSeconds, tokens + (Math.max(0, now - at) / 1_000) * rate)
        const isLimited = filled < 1
        buckets.set(network, { tokens: isLimited ? filled : filled - 1, at: now })
        if (!isLimited) return
        yield* countRefusal("failures")
        return yield* new RateLimitedError({ retryAfterSeconds: Math.max(1, Math.ceil((1 - filled) / rate)) })
      })

      return { count } as const
    })
  }
) {}
