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
 * `pool.query`, which waits for a connection where the pool has none left. It releases the connection as soon as the
 * cancellation is sent: one with a statement still under way is closed.
 */
export const cancelOver = (cancelling: Pool, pool: Pool): void => {
  pool.query = new Proxy(pool.query, { apply: (_, __, args) => Reflect.apply(cancelling.query, cancelling, args) })
  pool.on("release", (_, client: PoolClient) => {
    if ((underWay.get(client) ?? 0) > 0) void client.end()
  })
}
