import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { headersPurpose, secretPurpose } from "@switchboard/services/webhooks/delivery/SignedPost"
import type { StoredWebhookEndpoint } from "@switchboard/services/webhooks/WebhookEndpointRepo"
import { DateTime, Effect } from "effect"
import { storeSecret } from "../installation/Secrets.js"
import { notify, queueTables } from "../queues/QueueTables.js"
import { endpointColumns, endpointFromRow } from "./WebhookEndpointRows.js"

/** An endpoint as a JSON record, without its headers. */
const endpointRecord = (endpoint: StoredWebhookEndpoint) =>
  JSON.stringify({
    organization_id: endpoint.organizationId,
    id: endpoint.id,
    type: endpoint.type,
    name: endpoint.name,
    slug: endpoint.slug,
    description: endpoint.description,
    url: endpoint.url,
    events: endpoint.events,
    filters: endpoint.filters,
    rate_limit: endpoint.rateLimit,
    priority: endpoint.priority,
    status: endpoint.status,
    test_mode: endpoint.testMode,
    created_at: DateTime.formatIso(endpoint.createdAt),
    updated_at: DateTime.formatIso(endpoint.updatedAt),
    created_by: endpoint.createdBy,
    last_modified_by: endpoint.lastModifiedBy
  })

const insertStatement = /* sql */ `
WITH made AS (
  INSERT INTO webhook_endpoints (organization_id, id, type, name, slug, description, url, events, filters,
    rate_limit, priority, status, test_mode, created_at, updated_at, created_by, last_modified_by)
  SELECT organization_id, id, type, name, slug, description, url, events, filters,
    rate_limit, priority, status, test_mode, created_at, updated_at, created_by, last_modified_by
  FROM json_to_record($1::json) AS g(organization_id uuid, id uuid, type text, name text,
    slug text, description text, url text, events text[], filters jsonb, rate_limit jsonb, priority int,
    status text, test_mode boolean, created_at timestamptz, updated_at timestamptz, created_by uuid,
    last_modified_by uuid)
  RETURNING organization_id, id
)
INSERT INTO webhook_endpoint_health (organization_id, endpoint_id) SELECT organization_id, id FROM made`

/** Stores an endpoint with its headers and its encrypted secret. Requires a transaction. */
export const insertEndpoint = (sql: SqlClient.SqlClient, endpoint: StoredWebhookEndpoint, secret: Uint8Array) =>
  sql
    .unsafe(insertStatement, [endpointRecord(endpoint)])
    .pipe(
      Effect.zipRight(storeSecret(sql, endpoint.organizationId, secretPurpose, endpoint.id, secret)),
      Effect.zipRight(storeSecret(sql, endpoint.organizationId, headersPurpose, endpoint.id, endpoint.headers))
    )

const removeStatement = /* sql */ `
WITH removed AS (
  DELETE FROM webhook_endpoints WHERE organization_id = $1 AND id = $2 RETURNING id
), health AS (
  DELETE FROM webhook_endpoint_health WHERE organization_id = $1 AND endpoint_id = $2
), queued AS (
  DELETE FROM webhook_queue WHERE organization_id = $1 AND endpoint_id = $2
), waiting AS (
  DELETE FROM webhook_waiting WHERE organization_id = $1 AND endpoint_id = $2
), deliveries AS (
  DELETE FROM webhook_deliveries WHERE organization_id = $1 AND endpoint_id = $2
), sealed AS (
  DELETE FROM secrets WHERE organization_id = $1 AND owner = $2::uuid::text
), attempts AS (
  DELETE FROM webhook_attempts WHERE organization_id = $1 AND delivery_id IN (
    SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND endpoint_id = $2)
), bodies AS (
  DELETE FROM webhook_bodies WHERE organization_id = $1 AND delivery_id IN (
    SELECT id FROM webhook_deliveries WHERE organization_id = $1 AND endpoint_id = $2)
)
SELECT id FROM removed`

/** Deletes an endpoint with its deliveries, attempts and secrets. Returns whether it existed. */
export const removeEndpoint = (sql: SqlClient.SqlClient, organization: OrganizationId, id: WebhookEndpointId) =>
  Effect.map(sql.unsafe(removeStatement, [organization, id]), (rows) => rows.length > 0)

/** Running attempts complete; all other pending deliveries wait until the endpoint is resumed. */
const pauseStatement = /* sql */ `
WITH waits AS (
  DELETE FROM webhook_waiting WHERE organization_id = $1 AND endpoint_id = $2
), queued AS (
  DELETE FROM webhook_queue WHERE organization_id = $1 AND endpoint_id = $2 AND lease_until IS NULL
)
UPDATE webhook_deliveries SET next_attempt_at = NULL
WHERE organization_id = $1 AND endpoint_id = $2 AND status = 'pending' AND next_attempt_at IS NOT NULL`

/** Makes all pending deliveries ready, and resets the time since which the endpoint fails. */
const resumeStatement = /* sql */ `
WITH unscheduled AS (
  DELETE FROM webhook_waiting WHERE organization_id = $1 AND endpoint_id = $2
), ready AS (
  UPDATE webhook_deliveries SET next_attempt_at = now()
  WHERE organization_id = $1 AND endpoint_id = $2 AND status = 'pending' RETURNING id
), queued AS (
  INSERT INTO webhook_queue (organization_id, endpoint_id, id, ready_at) SELECT $1, $2, id, now() FROM ready
  ON CONFLICT DO NOTHING
), healthy AS (
  UPDATE webhook_endpoint_health SET failing_since = NULL WHERE organization_id = $1 AND endpoint_id = $2
)
SELECT ${notify(queueTables.webhook)} WHERE EXISTS (SELECT FROM ready)`

/**
 * Locks an endpoint and stores the result of `change`. Returns false if it does not exist. A paused endpoint keeps its
 * pending deliveries; they are attempted when it is active again. Requires a transaction.
 */
export const changeEndpoint = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: WebhookEndpointId,
  change: (endpoint: StoredWebhookEndpoint) => StoredWebhookEndpoint
) {
  const [row] = yield* sql`SELECT ${sql.literal(endpointColumns)} FROM webhook_endpoints AS w
    WHERE w.organization_id = ${organization} AND w.id = ${id} FOR UPDATE`
  if (row === undefined) return false
  const before = endpointFromRow(row)
  const after = change(before)
  yield* sql`UPDATE webhook_endpoints AS w SET name = g.name, description = g.description, url = g.url,
      events = g.events, filters = g.filters, rate_limit = g.rate_limit, priority = g.priority, status = g.status,
      test_mode = g.test_mode, updated_at = g.updated_at, last_modified_by = g.last_modified_by
    FROM json_to_record(${endpointRecord(after)}::json) AS g(name text, description text, url text, events text[],
      filters jsonb, rate_limit jsonb, priority int, status text, test_mode boolean, updated_at timestamptz,
      last_modified_by uuid)
    WHERE w.organization_id = ${organization} AND w.id = ${id}`
  if (after.headers !== before.headers) yield* storeSecret(sql, organization, headersPurpose, id, after.headers)
  if (after.status === before.status) return true
  if (after.status === "paused") yield* sql.unsafe(pauseStatement, [organization, id])
  if (after.status === "active") yield* sql.unsafe(resumeStatement, [organization, id])
  return true
})
