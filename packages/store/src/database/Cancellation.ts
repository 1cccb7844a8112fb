import { Predicate } from "effect"
import type { ClientBase, Pool, PoolClient } from "pg"

/**
 * Cancels statements over a separate connection. When a fiber is interrupted, `PgClient` cancels its statement by
 * `pool.query("SELECT pg_cancel_backend(...)")`, which would wait if all connections of the pool are in use. `PgClient`
 * releases the statement's connection when the cancellation is sent or the statement ends, the earlier of both. If the
 * other is still pending then, the connection is closed: its next statement would wait for the cancelled one, or be
 * cancelled in its place.
 */
export class Cancellation {
  /** The number of queries without a result, by connection. */
  private readonly pending = new WeakMap<ClientBase, number>()
  /** The backends with a cancellation that has no result yet. */
  private readonly cancelled = new Set<number>()

  /** Counts the pending queries of a connection. */
  countQueries(client: ClientBase): void {
    const count = (by: number) => this.pending.set(client, (this.pending.get(client) ?? 0) + by)
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

  /** Sends the queries that `PgClient` makes on `pool` itself, which are only cancellations, over `cancelling`. */
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

  /** Closes connections of `pool` that are released with a pending query or cancellation. */
  closeCancelled(pool: Pool): void {
    pool.on("release", (_, client: PoolClient & { readonly processID?: number }) => {
      const isCancelled = client.processID !== undefined && this.cancelled.has(client.processID)
      if (isCancelled || (this.pending.get(client) ?? 0) > 0) void client.end()
    })
  }
}
