import { Predicate } from "effect"
import type { ClientBase, Pool, PoolClient } from "pg"

/**
 * Cancels statements over a connection of its own. `PgClient` cancels the statement of a fiber that is interrupted by
 * `pool.query("SELECT pg_cancel_backend(...)")`, which waits for a connection where the pool has none left. It releases
 * the statement's connection when the cancellation is sent or the statement ends, the earlier of both. The connection is
 * closed if either is still under way then: its next statement would wait for this one, or be cancelled in its place.
 */
export class Cancellation {
  /** How many queries of a connection have no result yet. */
  private readonly underWay = new WeakMap<ClientBase, number>()
  /** The backends for which a cancellation has no result yet. */
  private readonly cancelled = new Set<number>()

  /** Counts the queries of a connection that are under way. */
  countQueries(client: ClientBase): void {
    const count = (by: number) => this.underWay.set(client, (this.underWay.get(client) ?? 0) + by)
    client.query = new Proxy(client.query, {
      apply: (query, self, args: ReadonlyArray<unknown>) => {
        const callback = args.at(-1)
        if (!Predicate.isFunction(callback)) return Reflect.apply(query, self, args)
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

  /** Sends what is queried on `pool` itself, which is cancellations alone, over `cancelling`. */
  sendOver(cancelling: Pool, pool: Pool): void {
    pool.query = new Proxy(pool.query, {
      apply: (_, __, args: ReadonlyArray<unknown>) => {
        const [text, callback] = args
        const processId = Number(/^SELECT pg_cancel_backend\((\d+)\)$/.exec(String(text))?.[1])
        if (!Predicate.isFunction(callback)) return Reflect.apply(cancelling.query, cancelling, args)
        this.cancelled.add(processId)
        return Reflect.apply(cancelling.query, cancelling, [
          text,
          (...result: ReadonlyArray<unknown>) => {
            this.cancelled.delete(processId)
            callback(...result)
          }
        ])
      }
    })
  }

  /** Closes connections of `pool` that are released while a query or a cancellation is under way. */
  closeCancelled(pool: Pool): void {
    pool.on("release", (_, client: PoolClient & { readonly processID?: number }) => {
      const isCancelled = client.processID !== undefined && this.cancelled.has(client.processID)
      if (isCancelled || (this.underWay.get(client) ?? 0) > 0) void client.end()
    })
  }
}
