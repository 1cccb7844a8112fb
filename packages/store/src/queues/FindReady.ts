import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import type { FoundEntry, LowWaterMarks } from "./LowWaterMarks.js"
import { laneOf, type QueueTable, toMicros, visibleBefore } from "./QueueTables.js"

/**
 * The oldest ready entry of every owner and lane. Reads the pages of the table instead of an index (a sample of all
 * pages), which costs a fraction of reading the index and the row of every entry that is gone.
 */
const statement = (table: QueueTable) => /* sql */ `
SELECT ready.*, ${toMicros(visibleBefore)} AS settled FROM (SELECT) AS one LEFT JOIN (
  SELECT q.${table.owner} AS owner, ${laneOf(table)} AS lane, ${toMicros("min(q.ready_at)")} AS "readyAt"
  FROM ${table.name}_queue AS q TABLESAMPLE SYSTEM (100) WHERE q.lease_until IS NULL GROUP BY 1, 2
) AS ready ON true`

type Row = (FoundEntry | { readonly owner: null }) & { readonly settled: number }

/** Records the oldest ready entries in the marks. */
export const findReady = (table: QueueTable, sql: SqlClient.SqlClient, marks: LowWaterMarks) =>
  Effect.map(sql.unsafe<Row>(statement(table)), (rows) => {
    const [first] = rows
    const ready = rows.filter((row): row is Row & FoundEntry => row.owner !== null)
    if (first !== undefined) marks.found(ready, first.settled)
  })
