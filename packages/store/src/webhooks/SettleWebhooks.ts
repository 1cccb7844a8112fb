import type { SqlClient } from "@effect/sql"
import type { WebhookEndpointId } from "@switchboard/domain/webhooks/WebhookEndpoint"
import { isFailingTooLong } from "@switchboard/domain/webhooks/WebhookOutcome"
import { endpointDisabled } from "@switchboard/services/webhooks/DescribeEndpoint"
import type { SettledWebhook } from "@switchboard/services/webhooks/delivery/WebhookQueue"
import { DateTime, Effect } from "effect"
import { prepared } from "../database/Prepared.js"
import { insertEvents } from "../events/InsertEvents.js"
import type { Hold } from "../queues/WorkQueueSql.js"
import { attemptColumns, attemptRecord, attemptTypes } from "./WebhookDeliveryRows.js"
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

/**
 * Endpoints are locked first, in the order of ids like in all transactions: the outcome of a delivery depends on the
 * endpoint's status.
 */
const lockEndpoints = prepared(
  "lock_endpoints",
  /* sql */ `
SELECT w.id, w.status FROM webhook_endpoints AS w
WHERE (w.organization_id, w.id) IN (SELECT organization_id, endpoint_id
  FROM json_to_recordset($1::json) AS d(organization_id uuid, endpoint_id uuid))
ORDER BY w.id FOR SHARE`
)

/**
 * Stores each attempt and counts it for its endpoint. `failing_since` is the first failure after the last success. The
 * ids are a parameter too, and the statement is planned for them, so that only their partitions are read.
 */
const settleStatement = /* sql */ `
WITH done AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS d(organization_id uuid, endpoint_id uuid, id uuid,
    status text, retries_used int, retry_at timestamptz, queued boolean, attempt int, trigger text, result text,
    ${attemptTypes})
), deliveries AS (
  UPDATE webhook_deliveries AS d SET status = s.status, retries_used = s.retries_used,
    attempts = d.attempts + CASE WHEN s.attempt IS NULL THEN 0 ELSE 1 END,
    trigger = CASE WHEN s.attempt IS NULL THEN d.trigger ELSE 'scheduled' END,
    next_attempt_at = CASE WHEN s.queued THEN s.retry_at END
  FROM done AS s WHERE d.organization_id = s.organization_id AND d.id = s.id AND d.id = ANY ($2::uuid[])
), attempts AS (
  INSERT INTO webhook_attempts (organization_id, delivery_id, attempt, trigger, ${attemptColumns})
  SELECT organization_id, id, attempt, trigger, ${attemptColumns} FROM done WHERE attempt IS NOT NULL
), sums AS MATERIALIZED (
  SELECT organization_id, endpoint_id,
    count(*) FILTER (WHERE status = 'succeeded') AS delivered, count(*) FILTER (WHERE status = 'failed') AS failed,
    count(*) FILTER (WHERE result = 'succeeded') AS attempts_succeeded,
    count(*) FILTER (WHERE result <> 'succeeded') AS attempts_failed,
    coalesce(sum(duration_ms) FILTER (WHERE result = 'succeeded'), 0) AS latency_ms,
    max(at) FILTER (WHERE result = 'succeeded') AS success_at,
    max(at) FILTER (WHERE result <> 'succeeded') AS failure_at,
    min(at) FILTER (WHERE result <> 'succeeded') AS first_failure_at
  FROM done GROUP BY organization_id, endpoint_id
), locked AS MATERIALIZED (
  SELECT h.organization_id, h.endpoint_id FROM webhook_endpoint_health AS h
  WHERE (h.organization_id, h.endpoint_id) IN (SELECT organization_id, endpoint_id FROM sums)
  ORDER BY h.organization_id, h.endpoint_id FOR UPDATE
), health AS (
  UPDATE webhook_endpoint_health AS h SET
    delivered = h.delivered + s.delivered,
    failed = h.failed + s.failed,
    attempts_succeeded = h.attempts_succeeded + s.attempts_succeeded,
    attempts_failed = h.attempts_failed + s.attempts_failed,
    latency_ms_sum = h.latency_ms_sum + s.latency_ms,
    last_success_at = greatest(h.last_success_at, s.success_at),
    last_failure_at = greatest(h.last_failure_at, s.failure_at),
    failing_since = CASE
      WHEN s.failure_at IS NULL AND s.success_at IS NULL THEN h.failing_since
      WHEN s.success_at IS NULL THEN coalesce(h.failing_since, s.first_failure_at)
      WHEN s.failure_at > s.success_at THEN s.failure_at
    END
  FROM locked AS l, sums AS s
  WHERE h.organization_id = l.organization_id AND h.endpoint_id = l.endpoint_id
    AND s.organization_id = l.organization_id AND s.endpoint_id = l.endpoint_id
  RETURNING h.endpoint_id, h.failing_since
)
SELECT endpoint_id, failing_since FROM health`

interface HealthRow {
  readonly endpoint_id: WebhookEndpointId
  readonly failing_since: Date | null
}

const iso = (time: DateTime.Utc | null) => (time === null ? null : DateTime.formatIso(time))

/** The record of a settled delivery. A retry is not queued if the endpoint is no longer active. */
const record = ({ settlement, taken }: SettledWebhook, endpointStatus: string | undefined) => {
  const { attempt, result, retriesUsed, retryAt, status } = settlement
  const isPending = status === "pending"
  return {
    organization_id: taken.organizationId,
    endpoint_id: taken.target.id,
    id: taken.deliveryId,
    status: isPending && endpointStatus === "disabled" ? "failed" : status,
    retries_used: retriesUsed,
    retry_at: iso(retryAt),
    queued: isPending && endpointStatus === "active",
    result,
    ...(attempt === null ? {} : { attempt: taken.attempt, trigger: taken.trigger, ...attemptRecord(attempt) })
  }
}

/** Stores the outcomes of deliveries that the worker still holds. Requires a transaction. */
export const settleWebhooks = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  done: ReadonlyArray<SettledWebhook>,
  hold: Hold
) {
  const endpoints = yield* sql.unsafe<{ readonly id: string; readonly status: string }>(lockEndpoints, [
    JSON.stringify(done.map(({ taken }) => ({ organization_id: taken.organizationId, endpoint_id: taken.target.id })))
  ])
  const statusOf = new Map(endpoints.map(({ id, status }) => [id, status]))
  const held = yield* hold(done.map(({ taken: { deliveryId: id, organizationId } }) => ({ organizationId, id })))
  const settled = done
    .filter(({ taken }) => held.has(taken.deliveryId))
    .map((one) => ({ ...one, row: record(one, statusOf.get(one.taken.target.id)) }))
  if (settled.length === 0) return []
  const health = yield* sql.unsafe<HealthRow>(settleStatement, [
    JSON.stringify(settled.map(({ row }) => row)),
    settled.map(({ row }) => row.id)
  ])
  const now = yield* DateTime.now
  const disabled = new Set<WebhookEndpointId>([
    ...settled.flatMap(({ settlement, taken }) => (settlement.result === "gone" ? [taken.target.id] : [])),
    ...health.flatMap(({ endpoint_id, failing_since }) =>
      failing_since !== null && isFailingTooLong(DateTime.unsafeFromDate(failing_since), now) ? [endpoint_id] : []
    )
  ])
  if (disabled.size > 0) yield* disableEndpoints(sql, [...disabled])
  return settled.map(({ row, settlement: { retryAt }, taken: { deliveryId: id, organizationId } }) => ({
    organizationId,
    id,
    retryAt: row.queued ? retryAt : null
  }))
})
