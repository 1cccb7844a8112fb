import { currentReader } from "@switchboard/services/CurrentReader"
import { requestTimeout } from "@switchboard/services/RequestDeadline"
import { Duration, Fiber, Option, Predicate } from "effect"
import type { Pool, PoolClient } from "pg"
import { ReadSlots } from "./ReadSlots.js"

/** The part of a pool that reads of requests may take: connections remain for sends and for key look-ups. */
const readShare = 0.7

const readerOfFiber = () =>
  Option.getOrNull(Option.map(Fiber.getCurrentFiber(), (fiber) => fiber.getFiberRef(currentReader)))

/**
 * Limits what requests that read take of a pool: a slot of `ReadSlots` for each connection, and a statement timeout as
 * long as a request waits. All others wait for a connection alone, and have the pool's `statementTimeout`.
 */
export const limitReads = (pool: Pool, poolSize: number, statementTimeout: Duration.Duration): void => {
  const slots = new ReadSlots(Math.max(1, Math.floor(poolSize * readShare)))
  const ends = new WeakMap<PoolClient, () => void>()
  const timeouts = new WeakMap<PoolClient, number>()
  const defaultTimeout = Duration.toMillis(statementTimeout)

  const setTimeout = (client: PoolClient, timeout: number, then: (error?: Error) => void) => {
    if ((timeouts.get(client) ?? defaultTimeout) === timeout) return then()
    client.query(`SET statement_timeout = ${timeout}`, (error) => {
      if (!error) timeouts.set(client, timeout)
      then(error ?? undefined)
    })
  }

  pool.on("release", (_, client) => {
    const end = ends.get(client)
    ends.delete(client)
    end?.()
  })
  pool.connect = new Proxy(pool.connect, {
    apply: (connect, self, args: ReadonlyArray<unknown>) => {
      const [callback] = args
      if (!Predicate.isFunction(callback)) return Reflect.apply(connect, self, args)
      const acquire = (timeout: number, end: () => void) =>
        Reflect.apply(connect, self, [
          (failure: Error | undefined, client: PoolClient | undefined, done: (error?: Error) => void) => {
            if (client === undefined) {
              end()
              return callback(failure, client, done)
            }
            ends.set(client, end)
            setTimeout(client, timeout, (error) => {
              if (error === undefined) return callback(undefined, client, done)
              done(error)
              callback(error, undefined, () => undefined)
            })
          }
        ])
      const reader = readerOfFiber()
      if (reader === null) return acquire(defaultTimeout, () => undefined)
      slots.enter(reader, (end) => acquire(requestTimeout, end))
    }
  })
}
