import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { notify, queueTables } from "../../queues/QueueTables.js"

/** A forwarding that failed, with the reason. */
export interface FailedForwarding {
  readonly organization_id: string
  readonly id: string
  readonly error: string
}

/**
 * Stores failed forwardings. A mail without a local copy is processed again, and delivered locally if no forwarding
 * succeeded. A worker that is processing the mail has already read the decisions: the failure is then not stored, and
 * the caller retries it. The lock of the mail's row detects this.
 */
const failStatement = /* sql */ `
WITH failing AS MATERIALIZED (
  SELECT f.organization_id, f.id, f.mail_id, f.keep_copy, g.error
  FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, error text)
    JOIN forwardings AS f ON f.organization_id = g.organization_id AND f.id = g.id
), mails AS MATERIALIZED (
  SELECT m.organization_id, m.id, m.processed_at, m.raw IS NULL AS is_erased FROM inbound_mails AS m
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, mail_id FROM failing WHERE NOT keep_copy)
  ORDER BY m.organization_id, m.id FOR UPDATE
), due AS MATERIALIZED (
  SELECT g.* FROM failing AS g LEFT JOIN mails AS m ON m.organization_id = g.organization_id AND m.id = g.mail_id
  WHERE g.keep_copy OR m.id IS NULL OR m.is_erased OR m.processed_at IS NOT NULL
), failed AS (
  UPDATE forwardings AS f SET status = 'failed', error = d.error, settled_at = now()
  FROM due AS d WHERE f.organization_id = d.organization_id AND f.id = d.id AND f.status IN ('waiting', 'forwarded')
  RETURNING f.organization_id, f.mail_id, f.keep_copy
), reopened AS (
  UPDATE inbound_mails AS m SET processed_at = NULL
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, mail_id FROM failed WHERE NOT keep_copy)
    AND m.raw IS NOT NULL RETURNING m.organization_id, m.id
), queued AS (
  INSERT INTO inbound_queue (organization_id, id, ready_at) SELECT organization_id, id, now() FROM reopened
  ON CONFLICT DO NOTHING RETURNING 1
), notified AS (
  SELECT ${notify(queueTables.inbound)} WHERE EXISTS (SELECT 1 FROM queued)
)
SELECT id, (SELECT count(*) FROM notified) AS notified FROM due
UNION ALL
SELECT g.id, 0 FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
WHERE NOT EXISTS (SELECT FROM forwardings AS f WHERE f.organization_id = g.organization_id AND f.id = g.id)`

/** Stores failures. Returns the settled ids: stored now, or without a forwarding. */
export const failForwardings = (sql: SqlClient.SqlClient, failures: ReadonlyArray<FailedForwarding>) =>
  Effect.map(
    sql.unsafe<{ readonly id: string }>(failStatement, [JSON.stringify(failures)]),
    (rows): ReadonlySet<string> => new Set(rows.map(({ id }) => id))
  )
