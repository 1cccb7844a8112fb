import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { DateTime, Effect, Option } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { notify, queueTables } from "../queues/QueueTables.js"
import { lockEndpoint } from "./RetryDelivery.js"

/**
 * Failed deliveries since a time start their retry schedule again. Events that the endpoint missed while it was
 * disabled get a delivery, except events about the endpoint itself and events before it was created.
 */
const recoverStatement = /* sql */ `
WITH retried AS (
  UPDATE webhook_deliveries AS d SET status = 'pending', trigger = 'manual', retries_used = 0, next_attempt_at = now()
  WHERE d.organization_id = $1 AND d.endpoint_id = $2 AND d.status = 'failed' AND d.trigger <> 'test'
    AND (d.id >= $3 OR EXISTS (SELECT FROM webhook_attempts AS a
      WHERE a.organization_id = d.organization_id AND a.delivery_id = d.id AND a.at >= $4::timestamptz))
  RETURNING d.id
), missed AS (
  INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, trigger,
    next_attempt_at, created_at)
  SELECT w.organization_id, webhook_delivery_id(e.id, w.id), w.id, e.id, e.type, 'pending', 'manual', now(), now()
  FROM webhook_endpoints AS w JOIN events AS e ON e.organization_id = w.organization_id
  WHERE w.organization_id = $1 AND w.id = $2 AND e.id >= $3 AND e.created_at >= w.created_at AND e.subject_id <> w.id
    AND webhook_wants(w, e.type, e.subject_id, e.data)
  ON CONFLICT DO NOTHING
  RETURNING id
), uncounted AS (
  UPDATE webhook_endpoint_health SET failed = failed - (SELECT count(*) FROM retried)
  WHERE organization_id = $1 AND endpoint_id = $2 AND EXISTS (SELECT FROM retried)
), ready AS (
  SELECT id FROM retried UNION ALL SELECT id FROM missed
), queued AS (
  INSERT INTO webhook_queue (organization_id, endpoint_id, id, ready_at) SELECT $1, $2, id, now() FROM ready
  ON CONFLICT DO NOTHING
)
SELECT count(*)::float8 AS requeued, ${notify(queueTables.webhook)} AS notified FROM ready`

/** Makes the missed deliveries of an endpoint ready. None if the endpoint is not active. Requires a transaction. */
export const recoverDeliveries = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  endpoint: WebhookEndpointId,
  since: DateTime.Utc
) {
  if ((yield* lockEndpoint(sql, organization, endpoint)) !== "active") return Option.none<number>()
  const [row] = yield* sql.unsafe<{ readonly requeued: number }>(recoverStatement, [
    organization,
    endpoint,
    firstIdAt(since),
    DateTime.formatIso(since)
  ])
  return Option.some(row?.requeued ?? 0)
})
