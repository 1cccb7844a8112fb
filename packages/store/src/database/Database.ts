import { Socket } from "node:net"
import { SqlError } from "@effect/sql/SqlError"
import { PgClient } from "@effect/sql-pg"
import { connectionUse } from "@switchboard/services/ConnectionUse"
import { databaseTimeFactor, requestTimeout } from "@switchboard/services/RequestDeadline"
import { Context, Duration, Effect, Fiber, Layer, Option, Predicate, Redacted } from "effect"
import { Pool, type PoolClient } from "pg"
import { Cancellation } from "./Cancellation.js"
import { connectionTo, hostUrls, ignoreLoss } from "./DatabaseHosts.js"
import { measureStatements, observePool, type PoolName } from "./PoolMetrics.js"
import { prepareMarked } from "./Prepared.js"
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

/** The settings of a process's connections to PostgreSQL. */
export class DatabaseConnections extends Context.Tag("store/DatabaseConnections")<
  DatabaseConnections,
  {
    readonly url: Redacted.Redacted<string>
    readonly poolSize: number
    /** The number of connections for background work alone; 0 if work and requests share all connections. */
    readonly workConnections: number
    readonly applicationName: string
  }
>() {}

interface PoolOptions extends Omit<typeof DatabaseConnections.Service, "workConnections"> {
  /** The name in the metrics; null for a pool without metrics. */
  readonly name: PoolName | null
}

const seconds = (limit: number) => Duration.seconds(limit * databaseTimeFactor)

/** The limit for opening a connection, or for waiting for one of the pool. */
const connectTimeout = seconds(10)
/** The limit for waiting for a lock. */
const lockTimeout = seconds(2)
/** The limit for a statement. Reads of requests have a shorter one (ConnectionShares.ts). */
const statementTimeout = seconds(10)
/** The limit for an idle transaction: after it, the locks of a process that is paused or lost its network are released. */
const transactionIdleTimeout = seconds(5)
/** Unused connections are closed after this time. */
const idleTimeout = Duration.seconds(10)
/** A connection without traffic is closed after this time: by then a live server would have ended the statement. */
const silenceTimeout = seconds(12)

const watchedSocket = () => {
  const socket = new Socket()
  return socket.setTimeout(Duration.toMillis(silenceTimeout), () =>
    socket.destroy(new Error("The database connection is silent"))
  )
}

const setTimeouts = (timeouts: Record<string, Duration.Duration>) =>
  Object.entries(timeouts)
    .map(([name, duration]) => `SET ${name} = ${Duration.toMillis(duration)}`)
    .join("; ")

const separateSettings = setTimeouts({ idle_in_transaction_session_timeout: transactionIdleTimeout })
// Just-in-time compilation costs milliseconds in each execution: more than these statements gain. A send that fills the
// pending list of a GIN index waits until the list is merged: about 25 ms for the default of 4 MB.
const sessionSettings = `${separateSettings}; SET jit = off; SET gin_pending_list_limit = '512kB'; ${setTimeouts({
  lock_timeout: lockTimeout,
  statement_timeout: statementTimeout
})}`

const makePool = ({ applicationName, name, poolSize, url }: PoolOptions, cancellation: Cancellation) => {
  const pool = new Pool({
    Client: connectionTo(Redacted.value(url)),
    connectionString: Redacted.value(url),
    application_name: applicationName,
    max: poolSize,
    connectionTimeoutMillis: Duration.toMillis(connectTimeout),
    idleTimeoutMillis: Duration.toMillis(idleTimeout),
    stream: watchedSocket,
    // Not startup parameters: a pooler such as PgBouncer refuses parameters that it does not support.
    onConnect: (client) => {
      cancellation.observe(client)
      if (name !== null) measureStatements(client, name)
      prepareMarked(client)
      return client.query(sessionSettings)
    }
  })
  // The pool replaces a connection that is lost while idle.
  pool.on("error", ignoreLoss)
  cancellation.closeCancelled(pool)
  return pool
}

/** Ends the connections of a pool when the scope closes. */
const scopedPool = (make: () => Pool) =>
  Effect.acquireRelease(Effect.sync(make), (pool) =>
    Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption("1 second"))
  )

/** Opens the first connection: tries each host once. */
const connectFirst = (pool: Pool) =>
  Effect.tryPromise({
    try: () => pool.query("SELECT 1"),
    catch: (cause) => new SqlError({ cause, message: "The database can't be reached" })
  }).pipe(Effect.retry({ times: hostUrls(pool.options.connectionString ?? "").length - 1 }))

const acquirePools = ({ workConnections, ...options }: typeof DatabaseConnections.Service) =>
  Effect.gen(function* () {
    const cancellation = new Cancellation()
    const acquirePool = (own: Pick<PoolOptions, "name" | "poolSize"> & Partial<PoolOptions>) =>
      scopedPool(() => makePool({ ...options, ...own }, cancellation))
    const pool = yield* acquirePool({ name: "main", poolSize: options.poolSize - workConnections })
    yield* connectFirst(pool)
    const work =
      workConnections === 0
        ? Option.none()
        : Option.some(yield* acquirePool({ name: "work", poolSize: workConnections }))
    const slots = shareConnections(pool, { statementTimeout, work })
    yield* observePool({ name: "main", pool, waitingReads: () => slots.waitingCount })
    if (Option.isSome(work)) yield* observePool({ name: "work", pool: work.value, waitingReads: () => 0 })
    const applicationName = "switchboard-cancel"
    cancellation.sendOver(yield* acquirePool({ name: null, poolSize: 1, applicationName }), pool)
    return pool
  })

/** The database client of all repositories. Every wait and every statement has a timeout. */
export const Database = Layer.unwrapEffect(
  Effect.map(DatabaseConnections, (connections) =>
    PgClient.layerFromPool({ applicationName: connections.applicationName, acquire: acquirePools(connections) })
  )
)

/**
 * A client with its own connections, for work that may take long: without the pool's limits for statements and locks.
 */
export const separateConnections = (poolSize: number) =>
  Layer.unwrapEffect(
    Effect.map(PgClient.PgClient, ({ config: { applicationName, url = Redacted.make("") } }) =>
      PgClient.layerFromPool({
        applicationName,
        acquire: Effect.tap(
          scopedPool(() =>
            new Pool({
              Client: connectionTo(Redacted.value(url)),
              connectionString: Redacted.value(url),
              application_name: applicationName,
              max: poolSize,
              onConnect: (client) => client.query(separateSettings)
            }).on("error", ignoreLoss)
          ),
          connectFirst
        )
      })
    )
  )
