import { SqlClient } from "@effect/sql"
import { Duration, Effect } from "effect"
import { forRequest } from "./Unavailable.js"

/** An open transaction with a snapshot or a write: VACUUM can't remove rows that were deleted since it began. */
export interface OldTransaction {
  /** The application, database and process id of its session, or the id of a prepared transaction. */
  readonly name: string
  readonly ageSeconds: number
  /** The SQL statement that ends the transaction. */
  readonly remedy: string
}

/**
 * Finds open transactions in all databases of the server that began at least `minAge` ago, oldest first. Without the
 * role pg_monitor, only transactions of the service's database user are visible.
 */
export const oldTransactions = (minAge: Duration.Duration) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const seconds = Duration.toSeconds(minAge)
    return forRequest(sql<OldTransaction>`SELECT * FROM (
        SELECT concat_ws(', ', NULLIF(application_name, ''), datname, 'process ' || pid) AS name,
          extract(epoch FROM now() - xact_start)::float8 AS "ageSeconds",
          format('SELECT pg_terminate_backend(%s)', pid) AS remedy
        FROM pg_stat_activity
        WHERE backend_type = 'client backend' AND (backend_xmin IS NOT NULL OR backend_xid IS NOT NULL)
          AND pid <> pg_backend_pid()
        UNION ALL
        SELECT 'prepared transaction ' || gid, extract(epoch FROM now() - prepared)::float8,
          format('ROLLBACK PREPARED %L', gid)
        FROM pg_prepared_xacts
      ) AS t WHERE "ageSeconds" >= ${seconds} ORDER BY "ageSeconds" DESC`)
  })
