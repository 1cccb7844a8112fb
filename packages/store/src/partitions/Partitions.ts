import type { SqlClient } from "@effect/sql"
import type { PartitionedTable } from "@switchboard/services/retention/PartitionRepo"
import { Effect, Schedule } from "effect"
import { isLockTimeout } from "../database/Unavailable.js"

/** A partition of a table, with the ids from `first` up to, but not including, `end`. Null is unbounded. */
export interface Partition {
  readonly name: string
  readonly first: string | null
  readonly end: string | null
}

/** The partition with the rows that stayed of expired partitions. */
export const keptPartition = (table: PartitionedTable) => `${table}_kept`

/**
 * The partitions of a table, oldest first. Together they take every id: the first has no beginning, for late rows, and
 * the last, the open one, has no end, so that no insert fails if the job does not run for a long time.
 */
export const partitionsOf = (sql: SqlClient.SqlClient, table: PartitionedTable) =>
  sql<Partition>`SELECT name, substring(bound FROM ${"FROM \\('([^']+)'\\)"}) AS first,
      substring(bound FROM ${"TO \\('([^']+)'\\)"}) AS "end"
    FROM (SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound
      FROM pg_inherits AS i JOIN pg_class AS c ON c.oid = i.inhrelid WHERE i.inhparent = ${table}::regclass) AS p
    ORDER BY first NULLS FIRST`

/** The SQL of a bound. */
const bound = (id: string | null, unbounded: string) => (id === null ? unbounded : `'${id}'`)

/** The SQL of a partition's bounds. */
export const forValues = ({ end, first }: Omit<Partition, "name">) =>
  `FOR VALUES FROM (${bound(first, "MINVALUE")}) TO (${bound(end, "MAXVALUE")})`

/** The name of the constraint that `inBounds` adds. */
export const boundsConstraint = "partition_bounds"

/** The SQL condition that ids are in bounds. A valid constraint with it lets PostgreSQL attach a table without a scan. */
export const inBounds = (id: string, { end, first }: Omit<Partition, "name">) =>
  [...(first === null ? [] : [`${id} >= '${first}'`]), ...(end === null ? [] : [`${id} < '${end}'`])].join(" AND ")

/** Runs as a transaction if no other process is changing partitions of the table; else returns null. */
export const whileAlone = <A, E, R>(
  sql: SqlClient.SqlClient,
  table: PartitionedTable,
  change: Effect.Effect<A, E, R>
) =>
  Effect.flatMap(
    sql<{ isAlone: boolean }>`SELECT pg_try_advisory_xact_lock(hashtext(${`partitions of ${table}`})) AS "isAlone"`,
    ([row]): Effect.Effect<A | null, E, R> => (row?.isAlone === true ? change : Effect.succeed(null))
  ).pipe(sql.withTransaction)

/**
 * Locks a table for a change of its partitions. Statements that arrive during an attempt wait for it: an attempt is
 * short, and is repeated for half a minute while a long transaction uses the table. Requires a transaction.
 */
export const lockForChange = (sql: SqlClient.SqlClient, table: PartitionedTable) =>
  sql
    .unsafe(`SET LOCAL lock_timeout = '100ms'; LOCK TABLE ONLY ${table} IN ACCESS EXCLUSIVE MODE`)
    .pipe(sql.withTransaction, Effect.retry({ while: isLockTimeout, schedule: Schedule.spaced("1 second"), times: 30 }))
