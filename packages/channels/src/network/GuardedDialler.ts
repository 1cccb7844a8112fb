import { isIP, type LookupFunction } from "node:net"
import type { CheckedAddress, Destination } from "@switchboard/services/network/DestinationGuard"
import { Effect, type Scope } from "effect"
import { buildConnector, Pool } from "undici"

/** Connection pools to destinations that the guard has checked. */
export interface GuardedDialler {
  /** The connection pool of this origin and exactly these addresses. */
  readonly poolTo: (destination: Destination) => Pool
  /** The number of pools. */
  readonly pools: () => number
}

/** Beyond this number, the least recently used pool is closed. */
const maxPools = 256

/** In milliseconds. Servers close idle connections after 5 s or more; a Keep-Alive header may extend it. */
const keepAlive = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 60_000 }

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
  const connect = buildConnector({ lookup: fixedLookup(addresses), timeout: 10_000 })
  return new Pool(origin, {
    ...keepAlive,
    // The caller has one timeout for the complete exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) =>
      // No lookup happens for an IP literal, so the host is replaced by the checked address.
      connect(isIP(options.hostname) === 0 ? options : { ...options, hostname: addresses[0].address }, callback)
  })
}

/** The origin without the final dot of the host: names in certificates and virtual hosts have none. */
const originOf = ({ hostname, port, protocol }: URL) =>
  `${protocol}//${hostname.replace(/\.$/, "")}${port === "" ? "" : `:${port}`}`

const keyOf = (origin: string, addresses: ReadonlyArray<CheckedAddress>) =>
  [origin, ...addresses.map(({ address }) => address).sort()].join(" ")

/**
 * Connects only to checked addresses. A connection is reused only while the check returns the same addresses, so that a
 * changed DNS record takes effect at once.
 */
export const guardedDialler: Effect.Effect<GuardedDialler, never, Scope.Scope> = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => new Map<string, Pool>()),
    (pools) =>
      Effect.promise(() => {
        const open = [...pools.values()]
        pools.clear()
        return Promise.all(open.map((pool) => pool.destroy()))
      })
  ),
  (pools) => {
    const remove = (key: string, pool: Pool) => {
      if (pools.get(key) !== pool) return
      pools.delete(key)
      // Pending requests complete.
      void pool.close()
    }

    const openPool = (key: string, origin: string, addresses: Destination["addresses"]) => {
      const pool = guardedPool(origin, addresses)
      const removeIfIdle = () => {
        if (pool.stats.connected === 0 && pool.stats.size === 0) remove(key, pool)
      }
      pool.on("disconnect", removeIfIdle).on("connectionError", removeIfIdle)
      const [oldest] = pools
      if (pools.size >= maxPools && oldest !== undefined) remove(...oldest)
      return pool
    }

    const poolTo = ({ addresses, url }: Destination) => {
      const origin = originOf(url)
      const key = keyOf(origin, addresses)
      const pool = pools.get(key) ?? openPool(key, origin, addresses)
      pools.delete(key)
      pools.set(key, pool)
      return pool
    }

    return { poolTo, pools: () => pools.size }
  }
)
