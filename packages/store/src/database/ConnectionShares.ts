import { connectionUse } from "@switchboard/services/ConnectionUse"
import { requestTimeout } from "@switchboard/services/RequestDeadline"
import { Duration, Fiber, Option, Predicate } from "effect"
import type { Pool, PoolClient } from "pg"
import { ReadSlots } from "./ReadSlots.js"

/** The share of the pool for reads of requests; the rest is for sends and for API key lookups. */
const readShare = 0.7

const useOfFiber = () =>
  Option.getOrNull(Option.map(Fiber.getCurrentFiber(), (fiber) => fiber.getFiberRef(connectionUse)))

/**
 * Chooses a fiber's connection by its `connectionUse`. Work uses its own pool, if there is one. A read of a request
 * waits for a slot of `ReadSlots` and has a statement timeout of `requestTimeout`. All other fibers wait only for a
 * connection and have the pool's `statementTimeout`. Returns the slots.
 */
export const shareConnections = (
  pool: Pool,
  { statementTimeout, work }: { readonly statementTimeout: Duration.Duration; readonly work: Option.Option<Pool> }
): ReadSlots => {
  const slots = new ReadSlots(Math.max(1, Math.floor(pool.options.max * readShare)))
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
    // After the response to the read is encoded, which other organizations wait for as well.
    if (end !== undefined) setImmediate(end)
  })
  pool.connect = new Proxy(pool.connect, {
    apply: (connect, self, args: ReadonlyArray<unknown>) => {
      const [callback] = args
      const use = useOfFiber()
      if (use === "work" && Option.isSome(work)) return Reflect.apply(work.value.connect, work.value, args)
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
      if (use === null || use === "work") return acquire(defaultTimeout, () => undefined)
      slots.enter(use, (end) => acquire(requestTimeout, end))
    }
  })
  return slots
}
