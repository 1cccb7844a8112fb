import type { SqlClient } from "@effect/sql"
import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { endpointDisabled } from "@switchboard/services/webhooks/EndpointDisabled"
import { Effect } from "effect"
import { insertEvents } from "../events/InsertEvents.js"
import { endpointColumns, endpointTables, endpointWithHealthFromRow, healthColumns } from "./WebhookEndpointRows.js"

/** The same lock order in all transactions: by id. */
const lockStatement = /* sql */ `
SELECT w.organization_id, w.id FROM webhook_endpoints AS w
WHERE w.id = ANY ($1::uuid[]) AND w.status <> 'disabled' ORDER BY w.id FOR UPDATE`

/** Entries that a worker holds are deleted too: the delivery has failed, regardless of the running attempt. */
const disableStatement = /* sql */ `
WITH endpoints AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
), disabled AS (
  UPDATE webhook_endpoints AS w SET status = 'disabled', updated_at = now() FROM endpoints AS g
  WHERE w.organization_id = g.organization_id AND w.id = g.id
), queued AS (
  DELETE FROM webhook_queue AS q USING endpoints AS g
  WHERE q.organization_id = g.organization_id AND q.endpoint_id = g.id
), waiting AS (
  DELETE FROM webhook_waiting AS q USING endpoints AS g
  WHERE q.organization_id = g.organization_id AND q.endpoint_id = g.id
), ended AS (
  UPDATE webhook_deliveries AS d SET status = 'failed', next_attempt_at = NULL FROM endpoints AS g
  WHERE d.organization_id = g.organization_id AND d.endpoint_id = g.id AND d.status = 'pending'
  RETURNING d.organization_id, d.endpoint_id
)
UPDATE webhook_endpoint_health AS h SET failed = h.failed + e.count
FROM (SELECT organization_id, endpoint_id, count(*) FROM ended GROUP BY organization_id, endpoint_id) AS e
WHERE h.organization_id = e.organization_id AND h.endpoint_id = e.endpoint_id`

const readStatement = /* sql */ `
SELECT ${endpointColumns}, ${healthColumns}
FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
  JOIN ${endpointTables} ON w.organization_id = g.organization_id AND w.id = g.id
ORDER BY w.id`

/**
 * Disables endpoints that are not disabled yet. Their pending deliveries fail, and an event is written for each
 * endpoint, which the endpoint itself does not receive. Requires a transaction.
 */
export const disableEndpoints = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  endpointIds: ReadonlyArray<WebhookEndpointId>
) {
  if (endpointIds.length === 0) return
  const locked = yield* sql.unsafe(lockStatement, [[...endpointIds]])
  if (locked.length === 0) return
  const keys = JSON.stringify(locked)
  yield* sql.unsafe(disableStatement, [keys])
  const disabled = yield* sql.unsafe(readStatement, [keys])
  const events = yield* Effect.forEach(disabled, (row) => endpointDisabled(endpointWithHealthFromRow(row)))
  yield* insertEvents(sql, events)
})
