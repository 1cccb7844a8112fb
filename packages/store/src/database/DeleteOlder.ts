import type { SqlClient } from "@effect/sql"
import { Duration, Effect } from "effect"
import { inTurn } from "./DeletionTurn.js"
import { inBatches } from "./InBatches.js"
import { orUnavailable, retryConflicts } from "./Unavailable.js"

/** Rows that one statement deletes. */
const batch = 1_000

/**
 * Deletes the oldest rows by the index on their time. Skips rows that another worker is deleting or a request is
 * renewing.
 */
const deleteStatement = (table: string, time: string) => /* sql */ `
WITH deleted AS (
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${time} < now() - make_interval(secs => $1)
    ORDER BY ${time} LIMIT ${batch} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT count(*)::int AS count FROM deleted`

/** Deletes the rows of a table with a `time` before `retention` ago. Returns their number. */
export const deleteOlder = (sql: SqlClient.SqlClient, table: string, time: string) => {
  const statement = deleteStatement(table, time)
  return (retention: Duration.Duration) =>
    inBatches(
      sql.unsafe<{ count: number }>(statement, [Duration.toSeconds(retention)]).pipe(
        Effect.map(([row]) => row?.count ?? 0),
        retryConflicts,
        orUnavailable,
        inTurn
      ),
      batch
    )
}
