import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { type PartitionedTable, partitionedTables } from "@switchboard/services/retention/RetentionRepo"
import { DateTime, type Duration, Effect, Number, Option, Schedule } from "effect"
import { codeOf, isLockTimeout } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"

/** A partition of a table, with the ids from `first` up to, but not including, `end`. Null is unbounded. */
interface Partition {
  readonly name: string
  readonly first: string | null
  readonly end: string | null
}

/** The partitions of a table by their bounds, oldest first, without the default one. */
export const partitionsOf = (sql: SqlClient.SqlClient, table: PartitionedTable) =>
  sql<Partition>`SELECT name, substring(bound FROM ${"FROM \\('([^']+)'\\)"}) AS first,
      substring(bound FROM ${"TO \\('([^']+)'\\)"}) AS "end"
    FROM (SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
      FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent = ${table}::regclass) AS p
    WHERE bound <> 'DEFAULT' ORDER BY first NULLS FIRST`

/**
 * Changes partitions of a table in a transaction, unless another process does. Statements that arrive during an attempt
 * wait for its locks: an attempt is short, and is repeated for half a minute while a long transaction uses the table.
 */
const change = (
  sql: SqlClient.SqlClient,
  table: PartitionedTable,
  apply: (partitions: ReadonlyArray<Partition>) => Effect.Effect<number, SqlError>
) =>
  Effect.gen(function* () {
    const [lock] = yield* sql<{ isAlone: boolean }>`SELECT set_config('lock_timeout', '100ms', true),
      pg_try_advisory_xact_lock(hashtext(${`partitions of ${table}`})) AS "isAlone"`
    return lock?.isAlone === true ? yield* apply(yield* partitionsOf(sql, table)) : 0
  }).pipe(
    sql.withTransaction,
    Effect.retry({ while: isLockTimeout, schedule: Schedule.spaced("1 second"), times: 30 }),
    Effect.catchIf(isLockTimeout, () =>
      Effect.as(Effect.logInfo(`A long transaction uses ${table}: its partitions are changed later`), 0)
    )
  )

/** The storage parameters of partitions, which a partitioned table can't have. */
const storage: Partial<Record<PartitionedTable, string>> = {
  webhook_deliveries: "WITH (fillfactor = 85)",
  webhook_bodies: "WITH (autovacuum_vacuum_scale_factor = 0.05)"
}

/** The default partition has rows of a new partition. */
const checkViolation = "23514"

/** Creates the partition of a month, after those before it. None if the default partition has rows of the month. */
const createMonth = (sql: SqlClient.SqlClient, table: PartitionedTable, month: DateTime.Utc) =>
  change(sql, table, (partitions) => {
    const end = firstIdAt(DateTime.add(month, { months: 1 }))
    const first = partitions.reduce(
      (last, one) => (one.end !== null && one.end > last ? one.end : last),
      firstIdAt(month)
    )
    const name = `${table}_${DateTime.formatIsoDateUtc(month).slice(0, 7).replace("-", "_")}`
    if (first >= end) return Effect.succeed(0)
    const statement = `CREATE TABLE ${name} (LIKE ${table} INCLUDING ALL) ${storage[table] ?? ""};
      ALTER TABLE ${table} ATTACH PARTITION ${name} FOR VALUES FROM ('${first}') TO ('${end}')`
    return Effect.as(sql.unsafe(statement), 1)
  }).pipe(
    Effect.catchIf(
      (error) => codeOf(error) === checkViolation,
      () => Effect.succeed(0)
    )
  )

/** Creates the partitions of this month and the next one. Returns their number. */
const createMonths = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, table: PartitionedTable) {
  const month = DateTime.startOf(yield* DateTime.now, "month")
  const next = DateTime.add(month, { months: 1 })
  return (yield* createMonth(sql, table, month)) + (yield* createMonth(sql, table, next))
})

/** The maximum number of rows that move from an expired partition. Retention deletes the others before. */
const maxMoved = 10_000

/** Drops an expired partition. The rows that stay, which retention did not delete, move to the default partition. */
const dropExpired = (sql: SqlClient.SqlClient, table: PartitionedTable, { name }: Partition) =>
  change(sql, table, (partitions) =>
    Effect.gen(function* () {
      if (!partitions.some((one) => one.name === name)) return 0
      // An index has no entries of rows that were deleted and vacuumed; a scan of the table would read their pages.
      yield* sql`SELECT set_config('enable_seqscan', 'off', true)`
      const rows = yield* sql.unsafe(`SELECT FROM ${name} ORDER BY organization_id LIMIT ${maxMoved + 1}`)
      if (rows.length > maxMoved) return 0
      yield* sql.unsafe(`ALTER TABLE ${table} DETACH PARTITION ${name};
        INSERT INTO ${table}_default SELECT * FROM ${name} ORDER BY organization_id;
        DROP TABLE ${name}`)
      return 1
    })
  )

/** Creates the partitions of this month and the next one, and drops partitions that are older than the retention. */
export const updatePartitions = Effect.fnUntraced(function* (
  table: PartitionedTable,
  retention: Option.Option<Duration.Duration>
) {
  const sql = yield* SqlClient.SqlClient
  const created = yield* createMonths(sql, table)
  if (Option.isNone(retention)) return created
  const youngest = firstIdAt(DateTime.subtractDuration(yield* DateTime.now, retention.value))
  const expired = (yield* partitionsOf(sql, table)).filter(({ end }) => end !== null && end <= youngest)
  return created + Number.sumAll(yield* Effect.forEach(expired, (partition) => dropExpired(sql, table, partition)))
})

/** Creates the first partitions, after a migration. */
export const createPartitions = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(partitionedTables, (table) => createMonths(sql, table), { discard: true })
)
