import { Socket } from "node:net"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { Duration, Effect, Redacted } from "effect"
import { Pool } from "pg"
import { prepareMarked } from "./Prepared.js"

/** How a process is connected to PostgreSQL. */
export interface DatabaseOptions {
  readonly url: Redacted.Redacted<string>
  readonly poolSize: number
  readonly applicationName: string
}

/** How long making a connection, or waiting for one of the pool, may take. */
const connectWithin = Duration.seconds(3)
/** How long one transaction waits for another's locks. */
const lockedFor = Duration.seconds(2)
/** How long one statement runs: nothing that the service asks takes as long. */
const runsFor = Duration.seconds(10)
/** How long a transaction may stand still: one whose process was cut off must not keep its locks. */
const pausesFor = Duration.seconds(5)
/** After which a connection that nobody needs is closed. */
const idleFor = Duration.seconds(10)
/**
 * After which a connection on which nothing moves is given up: a server that lives would have ended the statement, and
 * the pool would have closed what is idle.
 */
const silentFor = Duration.seconds(12)

const watchedSocket = () => {
  const socket = new Socket()
  return socket.setTimeout(Duration.toMillis(silentFor), () =>
    socket.destroy(new Error("The database connection is silent"))
  )
}

const limits = Object.entries({
  lock_timeout: lockedFor,
  statement_timeout: runsFor,
  idle_in_transaction_session_timeout: pausesFor
})
  .map(([name, duration]) => `SET ${name} = ${Duration.toMillis(duration)}`)
  .join("; ")

const makePool = ({ applicationName, poolSize, url }: DatabaseOptions) => {
  const pool = new Pool({
    connectionString: Redacted.value(url),
    application_name: applicationName,
    max: poolSize,
    connectionTimeoutMillis: Duration.toMillis(connectWithin),
    idleTimeoutMillis: Duration.toMillis(idleFor),
    stream: watchedSocket,
    // Not among the connection's parameters: a pooler in between (PgBouncer) would refuse those that it doesn't know.
    onConnect: (client) => {
      prepareMarked(client)
      return client.query(limits)
    }
  })
  // A connection that is lost while idle is no news: the pool makes another.
  pool.on("error", () => undefined)
  return pool
}

/** The pool of connections that every repository uses. What hangs is noticed: no statement and no wait is without end. */
export const database = (options: DatabaseOptions) =>
  PgClient.layerFromPool({
    applicationName: options.applicationName,
    acquire: Effect.acquireRelease(
      Effect.sync(() => makePool(options)),
      (pool) => Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption("1 second"))
    ).pipe(
      Effect.tap((pool) =>
        Effect.tryPromise({
          try: () => pool.query("SELECT 1"),
          catch: (cause) => new SqlError({ cause, message: "The database can't be reached" })
        })
      )
    )
  })
