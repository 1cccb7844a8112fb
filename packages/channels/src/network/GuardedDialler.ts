import { isIP, type LookupFunction } from "node:net"
import type { CheckedAddress, Destination } from "@switchboard/services/network/DestinationGuard"
import { Effect, type Scope } from "effect"
import { buildConnector, Pool } from "undici"

/** Connections to destinations that the guard has checked. */
export interface GuardedDialler {
  /** The open connections to these addresses of this origin, and the way to open more: to these addresses alone. */
  readonly poolTo: (destination: Destination) => Pool
  /** How many destinations have connections open or wanted. */
  readonly pools: () => number
}

/** How many destinations keep connections at a time; the one longest unused gives way. */
const mostPools = 256

/** An idle connection outlives nobody's patience: servers close theirs after 5 s or more, and may say how long. */
const keepAlive = { keepAliveTimeout: 4_000, keepAliveMaxTimeout: 60_000 }

/** In place of a look-up: a second one could answer otherwise than the one that was checked. */
const onlyThese =
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
  const connect = buildConnector({ lookup: onlyThese(addresses), timeout: 10_000 })
  return new Pool(origin, {
    ...keepAlive,
    // The attempt has one deadline over everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (options, callback) =>
      // Nothing looks an address up, so that one must be put in its place.
      connect(isIP(options.hostname) === 0 ? options : { ...options, hostname: addresses[0].address }, callback)
  })
}

/** The final dot says that a name is whole; the name of a certificate and of a virtual host has none. */
const originOf = ({ hostname, port, protocol }: URL) =>
  `${protocol}//${hostname.replace(/\.$/, "")}${port === "" ? "" : `:${port}`}`

const keyOf = (origin: string, addresses: ReadonlyArray<CheckedAddress>) =>
  [origin, ...addresses.map(({ address }) => address).sort()].join(" ")

/**
 * Dials what was checked, and nothing else. A connection is used again only while a check gives the very addresses of
 * which it is one: a name that moves leaves its connections behind.
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
    const drop = (key: string, pool: Pool) => {
      if (pools.get(key) !== pool) return
      pools.delete(key)
      // Whoever still waits for an answer of it gets it.
      void pool.close()
    }

    const opened = (key: string, origin: string, addresses: Destination["addresses"]) => {
      const pool = guardedPool(origin, addresses)
      const dropIfIdle = () => {
        if (pool.stats.connected === 0 && pool.stats.size === 0) drop(key, pool)
      }
      pool.on("disconnect", dropIfIdle).on("connectionError", dropIfIdle)
      const [oldest] = pools
      if (pools.size >= mostPools && oldest !== undefined) drop(...oldest)
      return pool
    }

    const poolTo = ({ addresses, url }: Destination) => {
      const origin = originOf(url)
      const key = keyOf(origin, addresses)
      const pool = pools.get(key) ?? opened(key, origin, addresses)
      pools.delete(key)
      pools.set(key, pool)
      return pool
    }

    return { poolTo, pools: () => pools.size }
  }
)
