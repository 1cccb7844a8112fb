import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { WebhookDelivery } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { DateTime } from "effect"

/** Stores a test delivery with its attempts, unless the endpoint was removed. */
export const insertTestDelivery = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  delivery: WebhookDelivery
) => {
  const attempts = delivery.attempts.map((attempt) => ({
    attempt: attempt.attempt,
    trigger: attempt.trigger,
    at: DateTime.formatIso(attempt.at),
    response_status: attempt.responseStatus,
    response_body: attempt.responseBody,
    duration_ms: attempt.durationMs,
    error: attempt.error
  }))
  return sql`WITH stored AS (
      INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, trigger, attempts,
        created_at)
      SELECT w.organization_id, ${delivery.id}, w.id, ${delivery.eventId}, ${delivery.eventType}, ${delivery.status},
        'test', ${attempts.length}, ${DateTime.toDateUtc(delivery.createdAt)}
      FROM webhook_endpoints AS w WHERE w.organization_id = ${organization} AND w.id = ${delivery.endpointId}
      RETURNING organization_id, id
    )
    INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, at, response_status, response_body,
      duration_ms, error)
    SELECT s.organization_id, s.id, a.attempt, a.trigger, a.at, a.response_status, a.response_body, a.duration_ms, a.error
    FROM stored AS s, json_to_recordset(${JSON.stringify(attempts)}::json) AS a(attempt int, trigger text,
      at timestamptz, response_status int, response_body text, duration_ms int, error text)`
}
