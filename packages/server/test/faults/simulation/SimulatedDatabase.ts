import { PgClient } from "@effect/sql-pg"
import { prepareMarked } from "@switchboard/store/database/Prepared"
import { migrate } from "@switchboard/store/migrations/Migrations"
import { Effect, Predicate, Redacted } from "effect"
import { type ClientBase, Pool, type PoolClient } from "pg"
import { DatabaseFailed, type PostgresCluster } from "../PostgresCluster.js"

/** The fault of the statement `at` of a transaction, counted from 1. */
export interface StatementFault {
  /**
   * `before`: the connection is lost before the statement takes effect; `after`: after it took effect; `conflict`: a
   * serialization failure; `kill`: the process ends after the statement took effect.
   */
  readonly kind: "before" | "after" | "conflict" | "kill"
  readonly at: number
}

/** A transaction or a single statement that waits for its turn. */
export interface Turn<Process> {
  readonly process: Process
  /** Runs it to its end; returns whether its process was killed in it. */
  readonly run: (fault: StatementFault | null) => Promise<boolean>
}

/** The current turn. */
interface Running {
  readonly fault: StatementFault | null
  statements: number
  isLost: boolean
  /** PostgreSQL aborts a transaction after a serialization failure, also at COMMIT. */
  isAborted: boolean
  /** Ends the turn of a killed process. */
  readonly abandon: () => void
}

const failure = (message: string, code: string) => Object.assign(new Error(message), { code })

/**
 * Makes PostgreSQL read the time from the setting `simulated.now`: unqualified `now()` resolves to the first schema of
 * the search path, in statements, functions and column defaults.
 */
const schema = (database: string) => /* sql */ `
CREATE SCHEMA simulated;
CREATE FUNCTION simulated.now() RETURNS timestamptz STABLE LANGUAGE sql
  AS $$ SELECT pg_catalog.current_setting('simulated.now')::timestamptz $$;
CREATE FUNCTION simulated.clock_timestamp() RETURNS timestamptz STABLE LANGUAGE sql AS $$ SELECT simulated.now() $$;
ALTER DATABASE ${database} SET search_path = simulated, pg_catalog;
ALTER DATABASE ${database} SET simulated.now = '2026-01-01T00:00:00Z';
ALTER DATABASE ${database} SET synchronous_commit = off`

const migrated = (cluster: PostgresCluster, name: string) =>
  Effect.gen(function* () {
    yield* cluster.query(`CREATE DATABASE ${name}`)
    const url = new URL(cluster.url)
    url.pathname = `/${name}`
    const connect = PgClient.layer({ url: Redacted.make(url.href), maxConnections: 1 })
    yield* Effect.provide(
      Effect.flatMap(PgClient.PgClient, (sql) => sql.unsafe(schema(name))),
      connect
    )
    yield* Effect.provide(migrate, connect)
    return url.href
  })

/** A migrated database on simulated time, whose transactions run one after the other in a given order. */
export const simulatedDatabase = <Process extends { readonly isAlive: boolean }>(
  cluster: PostgresCluster,
  name: string
) =>
  Effect.gen(function* () {
    const url = yield* migrated(cluster, name)
    const times = new WeakMap<PoolClient, number>()
    const turns: Array<Turn<Process>> = []
    let running: Running | null = null

    /** Applies the fault of the turn to its statements. Statements after a lost connection fail too. */
    const inject = (client: ClientBase): void => {
      client.query = new Proxy(client.query, {
        apply: (query, self, args: ReadonlyArray<unknown>) => {
          const callback = args.at(-1)
          const turn = running
          if (turn === null || !Predicate.isFunction(callback)) return Reflect.apply(query, self, args)
          turn.statements += 1
          const kind = turn.fault?.at === turn.statements ? turn.fault.kind : null
          const lose = () => {
            turn.isLost = true
            callback(failure("Connection terminated unexpectedly", "08006"))
          }
          if (turn.isLost || kind === "before") return queueMicrotask(lose)
          if (kind === "conflict") {
            turn.isAborted = true
            return queueMicrotask(() => callback(failure("could not serialize", "40001")))
          }
          if (kind === null) return Reflect.apply(query, self, args)
          return Reflect.apply(query, self, [...args.slice(0, -1), kind === "kill" ? turn.abandon : lose])
        }
      })
    }

    const pool = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Pool({
            connectionString: url,
            max: 1,
            onConnect: (client) => {
              prepareMarked(client)
              inject(client)
            }
          })
      ),
      (opened) => Effect.promise(() => opened.end())
    )

    const query = async (text: string, values: ReadonlyArray<unknown> = []) =>
      (await pool.query(text, [...values])).rows

    const turnOf = (process: Process, now: () => number, callback: (...args: ReadonlyArray<unknown>) => unknown) => ({
      process,
      run: async (fault: StatementFault | null) => {
        const client = await pool.connect()
        if (times.get(client) !== now()) {
          await client.query(`SET simulated.now = '${new Date(now()).toISOString()}'`)
          times.set(client, now())
        }
        return new Promise<boolean>((resolve) => {
          const giveBack = client.release.bind(client)
          const end = async (isKilled: boolean) => {
            running = null
            client.release = giveBack
            if (isKilled || turn.isLost || turn.isAborted) await client.query("ROLLBACK")
            // A killed process does not remove its entry.
            client.removeAllListeners("error")
            giveBack()
            resolve(isKilled)
          }
          const abandon = () => void end(true)
          const turn: Running = { fault, statements: 0, isLost: false, isAborted: false, abandon }
          running = turn
          client.release = () => void end(false)
          callback(undefined, client, client.release)
        })
      }
    })

    /** The connections of a process; each transaction is a turn. */
    const poolOf = (process: Process, now: () => number): Pool =>
      new Proxy(pool, {
        get: (target, property) =>
          property === "connect"
            ? (callback: (...args: ReadonlyArray<unknown>) => unknown) => {
                // Real-time timers of a killed process end after it.
                if (process.isAlive) turns.push(turnOf(process, now, callback))
              }
            : Reflect.get(target, property)
      })

    return {
      poolOf,
      turns,
      query: <Row>(text: string, values?: ReadonlyArray<unknown>) =>
        Effect.tryPromise({
          try: (): Promise<ReadonlyArray<Row>> => query(text, values),
          catch: (cause) => new DatabaseFailed({ cause })
        })
    }
  })
