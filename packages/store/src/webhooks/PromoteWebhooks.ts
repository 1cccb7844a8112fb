import type { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import { webhookChannel } from "./TakeWebhooks.js"

/** Entries that one statement moves. */
export const promoteBatch = 500

const promoteStatement = /* sql */ `
WITH due AS (
  DELETE FROM webhook_waiting WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM webhook_waiting WHERE due_at <= now() ORDER BY due_at LIMIT ${promoteBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING organization_id, endpoint_id, id
), ready AS (
  INSERT INTO webhook_queue (organization_id, endpoint_id, id, ready_at)
  SELECT organization_id, endpoint_id, id, now() FROM due RETURNING 1
), told AS (
  SELECT pg_notify('${webhookChannel}', '') WHERE EXISTS (SELECT 1 FROM ready)
)
SELECT (SELECT count(*)::int FROM ready) AS count, (SELECT count(*) FROM told) AS told`

/** Makes one batch of retries whose time has come ready; how many that was. */
export const promoteWebhooks = (sql: SqlClient.SqlClient) =>
  Effect.map(sql.unsafe<{ readonly count: number }>(promoteStatement), ([row]) => row?.count ?? 0)
