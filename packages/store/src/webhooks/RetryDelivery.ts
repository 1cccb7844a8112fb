import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { WebhookDeliveryId, WebhookEndpointId, WebhookStatus } from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { RetryResult } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { Effect } from "effect"
import { notify, queueTables } from "../queues/QueueTables.js"

/**
 * Locks an endpoint against a change of its status, and returns the status. Required before changing the status or
 * trigger of its deliveries.
 */
export const lockEndpoint = (sql: SqlClient.SqlClient, organization: OrganizationId, endpoint: WebhookEndpointId) =>
  Effect.map(
    sql<{ readonly status: WebhookStatus }>`SELECT status FROM webhook_endpoints
      WHERE organization_id = ${organization} AND id = ${endpoint} FOR KEY SHARE`,
    ([row]) => row?.status ?? null
  )

/** A delivery that has ended is subtracted from the endpoint's counts. */
const readyStatement = /* sql */ `
WITH before AS MATERIALIZED (
  SELECT organization_id, endpoint_id, id, status FROM webhook_deliveries
  WHERE organization_id = $1 AND endpoint_id = $2 AND id = $3
), retried AS (
  UPDATE webhook_deliveries AS d SET status = 'pending', trigger = 'manual', next_attempt_at = now() FROM before AS b
  WHERE d.organization_id = b.organization_id AND d.id = b.id
), uncounted AS (
  UPDATE webhook_endpoint_health AS h SET delivered = h.delivered - (b.status = 'succeeded')::int,
    failed = h.failed - (b.status = 'failed')::int
  FROM before AS b
  WHERE h.organization_id = b.organization_id AND h.endpoint_id = b.endpoint_id AND b.status <> 'pending'
), unscheduled AS (
  DELETE FROM webhook_waiting AS q USING before AS b WHERE q.organization_id = b.organization_id AND q.id = b.id
), queued AS (
  INSERT INTO webhook_queue (organization_id, endpoint_id, id, ready_at)
  SELECT organization_id, endpoint_id, id, now() FROM before ON CONFLICT DO NOTHING
)
SELECT ${notify(queueTables.webhook)}`

/** Makes a delivery ready for one attempt. Requires a transaction. */
export const retryDelivery = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  endpoint: WebhookEndpointId,
  id: WebhookDeliveryId
): Effect.fn.Return<RetryResult, Effect.Effect.Error<ReturnType<typeof lockEndpoint>>> {
  const status = yield* lockEndpoint(sql, organization, endpoint)
  if (status === null) return "missing"
  const [entry] = yield* sql<{ readonly held: boolean }>`SELECT lease_until IS NOT NULL AS held FROM webhook_queue
    WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
  const [delivery] = yield* sql<{
    readonly trigger: string
    readonly event_id: string
  }>`SELECT trigger, event_id FROM webhook_deliveries
    WHERE organization_id = ${organization} AND endpoint_id = ${endpoint} AND id = ${id} FOR UPDATE`
  if (delivery === undefined) return "missing"
  if (delivery.trigger === "test") return "test"
  if (status !== "active") return "inactive"
  if (entry?.held === true) return "held"
  // The lock prevents a concurrent erasure of the event by retention.
  const [event] = yield* sql`SELECT FROM events WHERE organization_id = ${organization} AND id = ${delivery.event_id}
    FOR KEY SHARE`
  if (event === undefined) return "missing"
  yield* sql.unsafe(readyStatement, [organization, endpoint, id])
  return "ready"
})
