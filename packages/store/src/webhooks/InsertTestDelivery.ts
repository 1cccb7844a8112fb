import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { WebhookDelivery } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { DateTime } from "effect"
import { attemptColumns, attemptRecord, attemptTypes } from "./WebhookDeliveryRows.js"

/** Stores a test delivery with its body and its attempts, unless the endpoint was removed. */
export const insertTestDelivery = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  delivery: WebhookDelivery
) => {
  const attempts = delivery.attempts.map((attempt) => ({
    attempt: attempt.attempt,
    trigger: attempt.trigger,
    ...attemptRecord(attempt)
  }))
  return sql`WITH stored AS (
      INSERT INTO webhook_deliveries (organization_id, id, endpoint_id, event_id, event_type, status, trigger, attempts,
        created_at)
      SELECT w.organization_id, ${delivery.id}, w.id, ${delivery.eventId}, ${delivery.eventType}, ${delivery.status},
        'test', ${attempts.length}, ${DateTime.toDateUtc(delivery.createdAt)}
      FROM webhook_endpoints AS w WHERE w.organization_id = ${organization} AND w.id = ${delivery.endpointId}
      RETURNING organization_id, id
    ), bodies AS (
      INSERT INTO webhook_bodies (organization_id, delivery_id, body)
      SELECT s.organization_id, s.id, ${delivery.requestBody ?? null} FROM stored AS s
      WHERE ${delivery.requestBody ?? null}::text IS NOT NULL
    )
    INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, ${sql.literal(attemptColumns)})
    SELECT s.organization_id, s.id, a.attempt, a.trigger, ${sql.literal(attemptColumns)}
    FROM stored AS s, json_to_recordset(${JSON.stringify(attempts)}::json) AS a(attempt int, trigger text,
      ${sql.literal(attemptTypes)})`
}
