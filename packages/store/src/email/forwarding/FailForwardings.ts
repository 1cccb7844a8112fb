import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { notify, queueTables } from "../../queues/QueueTables.js"

/** What failed, and why. */
export interface FailedForwarding {
  readonly organization_id: string
  readonly id: string
  readonly error: string
}

/**
 * Where no copy was kept, the mail is looked at again, and received if it reached nobody. Whoever looks at a mail has
 * read what was decided: what fails meanwhile must wait, or nobody would see it. So the mail's row is locked.
 */
const failStatement = /* sql */ `
WITH given AS MATERIALIZED (
  SELECT f.organization_id, f.id, f.mail_id, f.keep_copy, g.error
  FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, error text)
    JOIN forwardings AS f ON f.organization_id = g.organization_id AND f.id = g.id
), mails AS MATERIALIZED (
  SELECT m.organization_id, m.id, m.processed_at, m.raw IS NULL AS gone FROM inbound_mails AS m
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, mail_id FROM given WHERE NOT keep_copy)
  ORDER BY m.organization_id, m.id FOR UPDATE
), due AS MATERIALIZED (
  SELECT g.* FROM given AS g LEFT JOIN mails AS m ON m.organization_id = g.organization_id AND m.id = g.mail_id
  WHERE g.keep_copy OR m.id IS NULL OR m.gone OR m.processed_at IS NOT NULL
), failed AS (
  UPDATE forwardings AS f SET status = 'failed', error = d.error, settled_at = now()
  FROM due AS d WHERE f.organization_id = d.organization_id AND f.id = d.id AND f.status IN ('waiting', 'forwarded')
  RETURNING f.organization_id, f.mail_id, f.keep_copy
), again AS (
  UPDATE inbound_mails AS m SET processed_at = NULL
  WHERE (m.organization_id, m.id) IN (SELECT organization_id, mail_id FROM failed WHERE NOT keep_copy)
    AND m.raw IS NOT NULL RETURNING m.organization_id, m.id
), queued AS (
  INSERT INTO inbound_queue (organization_id, id, ready_at) SELECT organization_id, id, now() FROM again
  ON CONFLICT DO NOTHING RETURNING 1
), told AS (
  SELECT ${notify(queueTables.inbound)} WHERE EXISTS (SELECT 1 FROM queued)
)
SELECT id, (SELECT count(*) FROM told) AS told FROM due
UNION ALL
SELECT g.id, 0 FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
WHERE NOT EXISTS (SELECT FROM forwardings AS f WHERE f.organization_id = g.organization_id AND f.id = g.id)`

/** Stores failures; which of them could be stored now, or are of what nobody is told of any more. */
export const failForwardings = (sql: SqlClient.SqlClient, failures: ReadonlyArray<FailedForwarding>) =>
  Effect.map(
    sql.unsafe<{ readonly id: string }>(failStatement, [JSON.stringify(failures)]),
    (rows): ReadonlySet<string> => new Set(rows.map(({ id }) => id))
  )
