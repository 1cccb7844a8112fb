import type { SqlClient } from "@effect/sql"
import type { PartitionedTable } from "@switchboard/services/retention/PartitionRepo"
import { DateTime, Duration, Effect, Number } from "effect"
import { inTurn } from "../database/DeletionTurn.js"
import { retryConflicts } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"
import { partitionsOf } from "./Partitions.js"

/** Rows of a partitioned table that are deleted one by one. */
export interface OldRows {
  readonly table: PartitionedTable
  /** SQL: whether a row is old; `$1` is the age in seconds. */
  readonly isOld: string
  /** The maximum number of rows that one statement deletes. */
  readonly batch: number
  /** SQL: the columns of `deleted` that `counted` reads, and the CTEs that subtract deleted rows from counts. */
  readonly subtracted?: { readonly columns: string; readonly counted: string }
}

/**
 * SQL: deletes a batch of rows of a partition that are stored after the position `$2`, so that no batch reads the
 * deleted rows of those before it. Rows that another process is deleting are skipped.
 */
const deleteStatement = (partition: string, { batch, isOld, subtracted }: OldRows) => /* sql */ `
WITH deleted AS (
  DELETE FROM ${partition} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${partition} WHERE ctid > $2::tid AND ${isOld} LIMIT ${batch} FOR UPDATE SKIP LOCKED
  )) RETURNING ctid AS position${subtracted === undefined ? "" : `, ${subtracted.columns}`}
)${subtracted === undefined ? "" : `, ${subtracted.counted}`}
SELECT count(*)::int AS count, max(position)::text AS last FROM deleted`

interface Deleted {
  readonly count: number
  /** The position of the last deleted row. */
  readonly last: string | null
}

/** SQL: the time of a column is longer ago than the first parameter, in seconds. */
export const olderThanAge = (column: string) => `${column} < now() - make_interval(secs => $1)`

/** Before the first row of a table. */
const start = "(0,0)"

/**
 * Deletes rows one by one, partition by partition, in batches. Partitions that begin within the age have no older rows.
 * Returns the number of deleted rows.
 */
export const deleteOldRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  rows: OldRows,
  age: Duration.Duration
) {
  const youngest = firstIdAt(DateTime.subtractDuration(yield* DateTime.now, age))
  const old = (yield* partitionsOf(sql, rows.table)).filter(({ first }) => first === null || first < youngest)
  const deleteFrom = (partition: string) => {
    const statement = deleteStatement(partition, rows)
    return Effect.iterate(
      { total: 0, count: rows.batch, last: start },
      {
        while: ({ count }) => count >= rows.batch,
        body: ({ last, total }) =>
          sql.unsafe<Deleted>(statement, [Duration.toSeconds(age), last]).pipe(
            retryConflicts,
            inTurn,
            Effect.map(([row]) => ({
              total: total + (row?.count ?? 0),
              count: row?.count ?? 0,
              last: row?.last ?? start
            }))
          )
      }
    )
  }
  return Number.sumAll(yield* Effect.forEach(old, ({ name }) => Effect.map(deleteFrom(name), ({ total }) => total)))
})
