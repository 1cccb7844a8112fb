import { Predicate } from "effect"
import type { ClientBase, Pool, PoolClient } from "pg"

/** How many queries of a connection have no result yet. */
const underWay = new WeakMap<ClientBase, number>()

/** Counts the queries of a connection that are under way. */
export const countQueries = (client: ClientBase): void => {
  client.query = new Proxy(client.query, {
    apply: (query, self, args: ReadonlyArray<unknown>) => {
      const callback = args.at(-1)
      if (!Predicate.isFunction(callback)) return Reflect.apply(query, self, args)
      const count = (by: number) => underWay.set(client, (underWay.get(client) ?? 0) + by)
      count(1)
      return Reflect.apply(query, self, [
        ...args.slice(0, -1),
        (error: unknown, result: unknown) => {
          count(-1)
          callback(error, result)
        }
      ])
    }
  })
}

/**
 * Cancels statements over a connection of its own. `PgClient` cancels the statement of a fiber that is interrupted by
 * `pool.query("SELECT pg_cancel_backend(...)")`, which waits for a connection where the pool has none left. It releases
 * the statement's connection when the cancellation is sent or the statement ends, the earlier of both. The connection is
 * closed if either is still under way then: its next statement would wait for this one, or be cancelled in its place.
 */
export const cancelOver = (cancelling: Pool, pool: Pool): void => {
  const cancellations = new Set<number>()
  pool.query = new Proxy(pool.query, {
    apply: (_, __, args: ReadonlyArray<unknown>) => {
      const [text, callback] = args
      const processId = Number(/^SELECT pg_cancel_backend\((\d+)\)$/.exec(String(text))?.[1])
      if (!Predicate.isFunction(callback)) return Reflect.apply(cancelling.query, cancelling, args)
      cancellations.add(processId)
      return Reflect.apply(cancelling.query, cancelling, [
        text,
        (...result: ReadonlyArray<unknown>) => {
          cancellations.delete(processId)
          callback(...result)
        }
      ])
    }
  })
  pool.on("release", (_, client: PoolClient & { readonly processID?: number }) => {
    const isCancelled = client.processID !== undefined && cancellations.has(client.processID)
    if (isCancelled || (underWay.get(client) ?? 0) > 0) void client.end()
  })
}
