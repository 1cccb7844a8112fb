import type { SqlClient } from "@effect/sql"
import { Duration, Effect } from "effect"

/** Rows of each table that one statement deletes. */
export const forgetBatch = 1_000

/** Attempts by their age; deliveries that ended by theirs, so that what is still to be told stays. */
const forgetStatement = /* sql */ `
WITH attempts AS (
  DELETE FROM webhook_attempts WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_attempts WHERE at < now() - make_interval(secs => $1) LIMIT ${forgetBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
), deliveries AS (
  DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_deliveries WHERE created_at < now() - make_interval(secs => $1) AND status <> 'pending'
    LIMIT ${forgetBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT greatest((SELECT count(*) FROM attempts), (SELECT count(*) FROM deliveries))::int AS count`

/** Deletes a batch of what nobody asks for any more; how many rows of the table that had more of them. */
export const forgetWebhooks = (sql: SqlClient.SqlClient, kept: Duration.Duration) =>
  Effect.map(
    sql.unsafe<{ readonly count: number }>(forgetStatement, [Duration.toSeconds(kept)]),
    ([row]) => row?.count ?? 0
  )
