import { isIP, type LookupFunction } from "node:net"
import type { Destination } from "@switchboard/services/network/DestinationGuard"
import { Effect, type Scope } from "effect"
import { LRUCache } from "lru-cache"
import { buildConnector, Pool } from "undici"
import { connectTimeout, poolOptions } from "./HttpExchange.js"

/** Connection pools to destinations that the guard has checked. */
export interface GuardedDialler {
  /** The connection pool of this origin and exactly these addresses. */
  readonly poolTo: (destination: Destination) => Pool
  /** The number of pools. */
  readonly pools: () => number
}

/** Beyond this number, the least recently used pool is closed. */
const maxPools = 256

/** Replaces the DNS lookup: a second lookup could return unchecked addresses (DNS rebinding). */
const fixedLookup =
  (addresses: Destination["addresses"]): LookupFunction =>
  (_name, { all }, callback) =>
    queueMicrotask(() =>
      all === true
        ? callback(
            null,
            addresses.map((one) => ({ ...one }))
          )
        : callback(null, addresses[0].address, addresses[0].family)
    )

const guardedPool = (origin: string, addresses: Destination["addresses"]) => {
  const connect = buildConnector({ lookup: fixedLookup(addresses), timeout: connectTimeout })
  return new Pool(origin, {
    ...poolOptions,
    connect: (options, callback) =>
      // No lookup happens for an IP literal, so the host is replaced by the checked address.
      connect(isIP(options.hostname) === 0 ? options : { ...options, hostname: addresses[0].address }, callback)
  })
}

/** The origin without the final dot of the host: names in certificates and virtual hosts have none. */
const originOf = ({ hostname, port, protocol }: URL) =>
  `${protocol}//${hostname.replace(/\.$/, "")}${port === "" ? "" : `:${port}`}`

const keyOf = ({ addresses, url }: Destination) =>
  [originOf(url), ...addresses.map(({ address }) => address).sort()].join(" ")

/**
 * Connects only to checked addresses. A connection is reused only while the check returns the same addresses, so that a
 * changed DNS record takes effect at once.
 */
export const guardedDialler: Effect.Effect<GuardedDialler, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    // Pending requests of a removed pool complete.
    Effect.sync(() => new LRUCache<string, Pool>({ max: maxPools, dispose: (pool) => void pool.close() })),
    (pools) =>
      Effect.promise(() => {
        const open = [...pools.values()]
        pools.clear()
        return Promise.all(open.map((pool) => pool.destroy()))
      })
  ),
  (pools) => {
    const openPool = (key: string, { addresses, url }: Destination) => {
      const pool = guardedPool(originOf(url), addresses)
      const removeIfIdle = () => {
        const isIdle = pool.stats.connected === 0 && pool.stats.size === 0
        if (isIdle && pools.peek(key) === pool) pools.delete(key)
      }
      pool.on("disconnect", removeIfIdle).on("connectionError", removeIfIdle)
      pools.set(key, pool)
      return pool
    }

    const poolTo = (destination: Destination) => {
      const key = keyOf(destination)
      return pools.get(key) ?? openPool(key, destination)
    }

    return { poolTo, pools: () => pools.size }
  }
)
