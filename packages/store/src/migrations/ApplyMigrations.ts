import { SqlClient } from "@effect/sql"
import { Data, Effect, Schedule } from "effect"
import { separateConnections } from "../database/Database.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"

/** An index that is built while other processes write to the table. */
export interface NewIndex {
  readonly name: string
  /** The table and the columns, as after `ON`. */
  readonly on: string
  /** Extensions that the index needs, which a database owner can create. */
  readonly extensions?: ReadonlyArray<string>
}

/**
 * A migration is a script that runs in one transaction. For large tables it is a batch, which runs again, each time in
 * its own transaction, until it returns no row; then indexes are built. An interrupted one is continued.
 */
export type Migration = {
  readonly id: number
  readonly name: string
  /**
   * The migration that a release must have to run on the schema after this one, if it removes what older releases use.
   * Processes of older releases are then not ready, and do not start.
   */
  readonly requires?: number
} & (
  | { readonly sql: string }
  | {
      readonly batch?: string
      readonly indexes?: ReadonlyArray<NewIndex>
      /** The indexes that the migration makes unnecessary. */
      readonly replaces?: ReadonlyArray<string>
    }
)

/** The key of the advisory lock: an arbitrary number that identifies the schema. */
const lockKey = 7_231_907_514

/** The database has a schema on which this release can't run. */
export class NewerSchemaError extends Data.TaggedError("NewerSchemaError")<{ readonly message: string }> {}

/** The schema of the database, as a release sees it. */
export interface SchemaState {
  /** The migrations that the release would apply. */
  readonly pending: ReadonlyArray<Migration>
  /** The migration that a release must have to run on the schema. */
  readonly required: number
  /** Whether the release has it. */
  readonly isCompatible: boolean
}

/** The schema of the database, as a release with these migrations sees it. */
export const schemaOf = Effect.fnUntraced(function* (all: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient.SqlClient
  const newest = all.at(-1)?.id ?? 0
  const [table] = yield* sql<{ exists: boolean }>`SELECT to_regclass('switchboard_migrations') IS NOT NULL AS exists`
  if (!table?.exists) return { pending: all, required: 0, isCompatible: true } satisfies SchemaState
  // The column is missing until this release applies a migration.
  const [row] = yield* sql<{ done: number; required: number }>`SELECT COALESCE(max(id), 0)::int AS done,
    COALESCE(max((to_jsonb(m) ->> 'requires')::int), 0) AS required FROM switchboard_migrations AS m`
  const { done = 0, required = 0 } = row ?? {}
  const state: SchemaState = { pending: all.filter(({ id }) => id > done), required, isCompatible: required <= newest }
  return state
})

/**
 * Holds the lock of migrations on its own connection until the scope is closed. Waits without a statement in progress:
 * its snapshot would block an index that another process builds.
 */
const holdLock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const connection = yield* sql.reserve
  yield* Effect.repeat(connection.executeUnprepared(`SELECT pg_try_advisory_lock(${lockKey}) AS held`, [], undefined), {
    schedule: Schedule.spaced("100 millis"),
    until: ([row]) => row.held === true
  })
})

/** Builds an index of one table. One that an earlier attempt left incomplete is built again. */
const buildOne = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, name: string, on: string) {
  const [present] = yield* sql<{ isValid: boolean }>`SELECT indisvalid AS "isValid" FROM pg_index
    WHERE indexrelid = to_regclass(${name})`
  if (present?.isValid === false) yield* sql.unsafe(`DROP INDEX CONCURRENTLY ${name}`)
  if (present?.isValid !== true) yield* sql.unsafe(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`)
})

/**
 * Gives the planner the statistics of an index on an expression. Without them it expects few matches of any value, until
 * a tenth of the table has changed.
 */
const analyzeExpression = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, name: string) {
  const tables = yield* sql<{ name: string }>`SELECT indrelid::regclass::text AS name FROM pg_index
    WHERE indexrelid = to_regclass(${name}) AND indexprs IS NOT NULL AND pg_relation_size(indrelid) > 0`
  yield* Effect.forEach(tables, (table) => sql.unsafe(`ANALYZE ${table.name}`), { discard: true })
})

/** Builds an index. That of a partitioned table consists of those of its partitions, which are built first. */
const buildIndex = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, index: NewIndex) {
  const { extensions = [], name, on } = index
  yield* Effect.forEach(extensions, (extension) => sql.unsafe(`CREATE EXTENSION IF NOT EXISTS ${extension}`))
  const [table = ""] = on.split(" ", 1)
  const partitions = yield* sql<{ table: string }>`SELECT relid::regclass::text AS table
    FROM pg_partition_tree(${table}) WHERE isleaf`
  yield* Effect.forEach(partitions, (one) => buildOne(sql, `${name}_${one.table}`, on.replace(table, one.table)))
  yield* partitions.length === 0 ? buildOne(sql, name, on) : sql.unsafe(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`)
  yield* analyzeExpression(sql, name)
})

/** Applies a migration and records it. */
const apply = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, migration: Migration) {
  const { id, name, requires = 0 } = migration
  const record = sql`INSERT INTO switchboard_migrations (id, name, requires) VALUES (${id}, ${name}, ${requires})`
  if ("sql" in migration) {
    yield* sql.unsafe(migration.sql).pipe(Effect.zipRight(record), sql.withTransaction, retryConflicts)
    return
  }
  const { batch, indexes = [], replaces = [] } = migration
  if (batch !== undefined)
    yield* Effect.repeat(retryConflicts(sql.unsafe(batch)), { until: (rows) => rows.length === 0 })
  // PostgreSQL builds and drops an index concurrently only outside of a transaction.
  yield* Effect.forEach(indexes, (index) => retryConflicts(buildIndex(sql, index)), { discard: true })
  yield* Effect.forEach(replaces, (name) => retryConflicts(sql.unsafe(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`)), {
    discard: true
  })
  yield* record
})

const applyPending = Effect.fnUntraced(function* (all: ReadonlyArray<Migration>) {
  const sql = yield* SqlClient.SqlClient
  yield* orUnavailable(holdLock)
  const { isCompatible, pending, required } = yield* orUnavailable(schemaOf(all))
  if (!isCompatible) {
    return yield* new NewerSchemaError({
      message: `The database requires migration ${required}, this release has ${all.at(-1)?.id ?? 0}: run a newer release`
    })
  }
  if (pending.length === 0) return []
  yield* orUnavailable(
    sql.unsafe(`CREATE TABLE IF NOT EXISTS switchboard_migrations (
      id integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now());
    ALTER TABLE switchboard_migrations ADD COLUMN IF NOT EXISTS requires integer NOT NULL DEFAULT 0`)
  )
  yield* orUnavailable(Effect.forEach(pending, (migration) => apply(sql, migration), { discard: true }))
  return pending.map(({ name }) => name)
}, Effect.scoped)

/**
 * Applies the pending ones of all migrations and returns their names. Concurrent processes apply them one after the
 * other. Uses separate connections without the pool's timeouts: a migration of a large table can take long.
 */
export const applyMigrations = (all: ReadonlyArray<Migration>) =>
  applyPending(all).pipe(Effect.provide(separateConnections(2)), orUnavailable)
