import { SqlClient } from "@effect/sql"
import { Array, Data, Effect, Schedule } from "effect"
import { separateConnections } from "../database/Database.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"

/** An index that is built while other processes write to the table. */
export interface NewIndex {
  readonly name: string
  /** The table and the columns, as after `ON`. */
  readonly on: string
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

/** The schema of a release. */
export interface ReleaseSchema {
  /** SQL: makes the schema in an empty database. The same as after all migrations. */
  readonly baseline: string
  /** The oldest release that can be upgraded, and its last migration. */
  readonly upgradesFrom: { readonly id: number; readonly release: string }
  /** In the order of their ids. */
  readonly migrations: readonly [Migration, ...ReadonlyArray<Migration>]
}

/** The database has a schema on which this release can't run. */
export class IncompatibleSchemaError extends Data.TaggedError("IncompatibleSchemaError")<{
  readonly message: string
}> {}

/** The schema of the database, as a release sees it. */
export interface SchemaState {
  /** The migrations that the release would apply. */
  readonly pending: ReadonlyArray<Migration>
  /** Why the release can't run on the schema or upgrade it; null if it can. */
  readonly refusal: string | null
  /** Whether the release would make the schema. */
  readonly isEmpty: boolean
}

/** The schema of the database, as a release with this schema sees it. */
export const schemaOf = Effect.fnUntraced(function* ({ migrations, upgradesFrom }: ReleaseSchema) {
  const sql = yield* SqlClient.SqlClient
  const newest = Array.lastNonEmpty(migrations).id
  const [table] = yield* sql<{ exists: boolean }>`SELECT to_regclass('switchboard_migrations') IS NOT NULL AS exists`
  if (!table?.exists) return { pending: migrations, refusal: null, isEmpty: true } satisfies SchemaState
  // Releases before 0.2.0 can lack the column.
  const [row] = yield* sql<{ done: number; required: number }>`SELECT COALESCE(max(id), 0)::int AS done,
    COALESCE(max((to_jsonb(m) ->> 'requires')::int), 0) AS required FROM switchboard_migrations AS m`
  const { done = 0, required = 0 } = row ?? {}
  const refusal =
    required > newest
      ? `The database requires migration ${required}, this release has ${newest}: run a newer release`
      : done < upgradesFrom.id
        ? `Upgrade to ${upgradesFrom.release} first: the database has migration ${done}, which is older than ${upgradesFrom.id}`
        : null
  const state: SchemaState = { pending: migrations.filter(({ id }) => id > done), refusal, isEmpty: false }
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
  const { name, on } = index
  const [table = ""] = on.split(" ", 1)
  const partitions = yield* sql<{ table: string }>`SELECT relid::regclass::text AS table
    FROM pg_partition_tree(${table}) WHERE isleaf`
  yield* Effect.forEach(partitions, (one) => buildOne(sql, `${name}_${one.table}`, on.replace(table, one.table)))
  yield* partitions.length === 0 ? buildOne(sql, name, on) : sql.unsafe(`CREATE INDEX IF NOT EXISTS ${name} ON ${on}`)
  yield* analyzeExpression(sql, name)
})

const record = (sql: SqlClient.SqlClient, { id, name, requires = 0 }: Migration) =>
  sql`INSERT INTO switchboard_migrations (id, name, requires) VALUES (${id}, ${name}, ${requires})`

/** Makes the schema in an empty database, and records the newest migration. */
const makeSchema = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { baseline, migrations }: ReleaseSchema) {
  yield* sql.unsafe(`CREATE TABLE switchboard_migrations (id integer PRIMARY KEY, name text NOT NULL,
    applied_at timestamptz NOT NULL DEFAULT now(), requires integer NOT NULL DEFAULT 0)`)
  yield* sql.unsafe(baseline)
  yield* record(sql, Array.lastNonEmpty(migrations))
})

/** Applies a migration and records it. */
const apply = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, migration: Migration) {
  if ("sql" in migration) {
    yield* sql.unsafe(migration.sql).pipe(Effect.zipRight(record(sql, migration)), sql.withTransaction, retryConflicts)
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
  yield* record(sql, migration)
})

const applyPending = Effect.fnUntraced(function* (schema: ReleaseSchema) {
  const sql = yield* SqlClient.SqlClient
  yield* orUnavailable(holdLock)
  const { isEmpty, pending, refusal } = yield* orUnavailable(schemaOf(schema))
  if (refusal !== null) return yield* new IncompatibleSchemaError({ message: refusal })
  yield* orUnavailable(
    isEmpty
      ? sql.withTransaction(makeSchema(sql, schema))
      : Effect.forEach(pending, (migration) => apply(sql, migration), { discard: true })
  )
  return isEmpty ? ["new schema"] : pending.map(({ name }) => name)
}, Effect.scoped)

/**
 * Makes the schema in an empty database, otherwise applies the pending migrations. Returns what it applied. Concurrent
 * processes do it one after the other. Uses separate connections without the pool's timeouts: a migration of a large
 * table can take long.
 */
export const applyMigrations = (schema: ReleaseSchema) =>
  applyPending(schema).pipe(Effect.provide(separateConnections(2)), orUnavailable)
