import type { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { PartitionedTable } from "@switchboard/services/retention/PartitionRepo"
import { DateTime, type Duration, Effect, Number } from "effect"
import { inBatches } from "../database/InBatches.js"
import { firstIdAt } from "../FirstIdAt.js"
import { partitionsOf } from "./Partitions.js"

/** SQL: deletes a batch of rows of a partition. Rows that another process is deleting are skipped. */
export const deleteWhere = (partition: string, condition: string, batch: number) => /* sql */ `
DELETE FROM ${partition} WHERE ctid = ANY (ARRAY(
  SELECT ctid FROM ${partition} WHERE ${condition} LIMIT ${batch} FOR UPDATE SKIP LOCKED
))`

/** SQL: the time of a column is longer ago than the first parameter, in seconds. */
export const isOld = (column: string) => `${column} < now() - make_interval(secs => $1)`

/**
 * Deletes rows one by one, partition by partition, in batches of at most `full` rows. Partitions that begin within
 * the age have no older rows.
 */
export const deleteOldRows = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: PartitionedTable,
  age: Duration.Duration,
  full: number,
  deleteBatch: (partition: string) => Effect.Effect<number, SqlError>
) {
  const youngest = firstIdAt(DateTime.subtractDuration(yield* DateTime.now, age))
  const old = (yield* partitionsOf(sql, table)).filter(({ first }) => first === null || first < youngest)
  return Number.sumAll(yield* Effect.forEach(old, ({ name }) => inBatches(deleteBatch(name), full)))
})
