import { Predicate } from "effect"
import type { ClientBase, Pool, PoolClient } from "pg"

/** The limit for the end of a cancelled statement, in milliseconds; after it, the connection is closed. */
const endTimeout = 100

interface Connection {
  /** The number of queries without a result. */
  pending: number
  /** Results of queries that wait for the result of a cancellation; null if none is under way. */
  results: Array<() => void> | null
  /** Passes the result of a cancellation on, which waits for the results of queries. */
  cancelled: () => void
}

/**
 * Cancels statements over a separate connection. When a fiber is interrupted, `PgClient` cancels its statement by
 * `pool.query("SELECT pg_cancel_backend(...)")`, which would wait if all connections of the pool are in use. `PgClient`
 * releases the statement's connection with the first of both results, of the cancellation and of the statement. Each
 * waits here for the other: otherwise the next statement would wait for the cancelled one, or be cancelled in its place.
 * If the statement does not end, the connection is closed.
 */
export class Cancellation {
  private readonly connections = new WeakMap<ClientBase, Connection>()
  private readonly byProcess = new Map<number, Connection>()

  /** Observes the queries of a connection. */
  observe(client: ClientBase & { readonly processID?: number }): void {
    const connection: Connection = { pending: 0, results: null, cancelled: () => undefined }
    this.connections.set(client, connection)
    const { processID } = client
    if (processID !== undefined) {
      this.byProcess.set(processID, connection)
      client.once("end", () => this.byProcess.delete(processID))
    }
    client.query = new Proxy(client.query, {
      apply: (query, self, args: ReadonlyArray<unknown>) => {
        const callback = args.at(-1)
        if (!Predicate.isFunction(callback)) return Reflect.apply(query, self, args)
        connection.pending += 1
        return Reflect.apply(query, self, [
          ...args.slice(0, -1),
          (error: unknown, result: unknown) => {
            const end = () => {
              connection.pending -= 1
              callback(error, result)
              if (connection.pending === 0) connection.cancelled()
            }
            if (connection.results === null) end()
            else connection.results.push(end)
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
        const connection = this.byProcess.get(Number(/^SELECT pg_cancel_backend\((\d+)\)$/.exec(String(text))?.[1]))
        if (!Predicate.isFunction(callback) || connection === undefined) {
          return Reflect.apply(cancelling.query, cancelling, args)
        }
        const results: Array<() => void> = []
        connection.results = results
        return Reflect.apply(cancelling.query, cancelling, [
          text,
          (...result: ReadonlyArray<unknown>) => {
            connection.results = null
            connection.cancelled = () => {
              clearTimeout(timer)
              connection.cancelled = () => undefined
              callback(...result)
            }
            const timer = setTimeout(connection.cancelled, endTimeout)
            for (const end of results) end()
            if (connection.pending === 0) connection.cancelled()
          }
        ])
      }
    })
  }

  /** Closes connections of `pool` that are released with a pending query. */
  closeCancelled(pool: Pool): void {
    pool.on("release", (_, client: PoolClient) => {
      if ((this.connections.get(client)?.pending ?? 0) > 0) void client.end()
    })
  }
}
