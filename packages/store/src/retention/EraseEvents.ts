import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, type Duration, Effect } from "effect"
import { isEmptyBatch } from "../events/EraseBatches.js"
import { bounds } from "./RetentionMarks.js"

/** Events per transaction. */
export const eventsBatch = 1_000

/** One descent of the index per organization, in the partitions with old events. */
const organizationsStatement = /* sql */ `
SELECT o.id FROM organizations AS o CROSS JOIN LATERAL (
  SELECT FROM events WHERE organization_id = o.id AND id < $1 ORDER BY id OFFSET 1 LIMIT 1
) AS second ORDER BY o.id`

/** The organizations with old events other than the newest of them, which stays. */
export const organizationsWithOldEvents = (sql: SqlClient.SqlClient, retention: Duration.Duration) =>
  Effect.flatMap(DateTime.now, (now) =>
    sql.unsafe<{ readonly id: OrganizationId }>(organizationsStatement, [bounds(now, retention).end])
  )

/**
 * Old events in the order of ids, except the newest of them. A retry of a webhook delivery waits for these locks, and
 * then finds no event.
 */
const pageStatement = /* sql */ `
SELECT id FROM events
WHERE organization_id = $1 AND id > $2 AND id < (
  SELECT id FROM events WHERE organization_id = $1 AND id < $3 ORDER BY id DESC LIMIT 1
) ORDER BY id LIMIT ${eventsBatch} FOR UPDATE SKIP LOCKED`

/**
 * Keeps events with a webhook delivery that has not succeeded, which may still be sent, and events that are younger
 * than their id.
 */
const eraseStatement = /* sql */ `
DELETE FROM events AS e
WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[]) AND e.created_at < $3::timestamptz AND NOT EXISTS (
  SELECT FROM webhook_endpoints AS w CROSS JOIN LATERAL (
    SELECT status FROM webhook_deliveries WHERE organization_id = $1 AND id = webhook_delivery_id(e.id, w.id)
  ) AS d
  WHERE w.organization_id = $1 AND d.status <> 'succeeded'
) RETURNING 1`

/** Batches before the first erased event that may contain it: concurrent batches can start earlier. */
const earlierBatches = 100

/** Deletes the batches of erased events that have no other event. */
const eraseBatchesStatement = /* sql */ `
DELETE FROM event_batches AS b WHERE b.organization_id = $1 AND b.first_event <= $3 AND b.first_event >= COALESCE((
  SELECT min(first_event) FROM (
    SELECT first_event::text FROM event_batches WHERE organization_id = $1 AND first_event <= $2
    ORDER BY event_batches.first_event DESC LIMIT ${earlierBatches}
  ) AS earlier
)::uuid, $2) AND ${isEmptyBatch}`

/**
 * Erases a batch of an organization's old events after an id. Returns the start of the next batch. Requires a
 * transaction.
 */
export const eraseEvents = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  retention: Duration.Duration,
  after: string
) {
  const now = yield* DateTime.now
  const { end } = bounds(now, retention)
  const page = yield* sql.unsafe<{ readonly id: string }>(pageStatement, [organization, after, end])
  const ids = page.map(({ id }) => id)
  // A separate statement: its snapshot includes deliveries that were committed before the locks were acquired.
  const limit = DateTime.formatIso(DateTime.subtractDuration(now, retention))
  const deleted = ids.length === 0 ? [] : yield* sql.unsafe(eraseStatement, [organization, ids, limit])
  if (deleted.length > 0) yield* sql.unsafe(eraseBatchesStatement, [organization, ids[0], ids.at(-1)])
  return { erased: deleted.length, after: page.length < eventsBatch ? null : (ids.at(-1) ?? null) }
})
