import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, type Duration, Effect } from "effect"
import { bounds } from "./RetentionMarks.js"

/** Events of one transaction. */
export const eventsBatch = 1_000

/** All before the last that is old enough. A retry of a delivery waits for these locks, and then finds no event. */
const pageStatement = /* sql */ `
SELECT id FROM events
WHERE organization_id = $1 AND id > $2 AND id < (
  SELECT id FROM events WHERE organization_id = $1 AND id < $3 ORDER BY id DESC LIMIT 1
) ORDER BY id LIMIT ${eventsBatch} FOR UPDATE SKIP LOCKED`

/** What an endpoint has not been told yet, or might be told again, stays as long as that is known. */
const eraseStatement = /* sql */ `
DELETE FROM events AS e WHERE e.organization_id = $1 AND e.id = ANY ($2::uuid[]) AND NOT EXISTS (
  SELECT FROM webhook_endpoints AS w JOIN webhook_deliveries AS d
    ON d.organization_id = w.organization_id AND d.endpoint_id = w.id AND d.event_id = e.id
  WHERE w.organization_id = $1 AND d.status <> 'succeeded'
) RETURNING 1`

/** Erases a batch of an organization's old events, after an id; where the next batch begins. To be run in a transaction. */
export const eraseEvents = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  kept: Duration.Duration,
  after: string
) {
  const { end } = bounds(yield* DateTime.now, kept)
  const page = yield* sql.unsafe<{ readonly id: string }>(pageStatement, [organization, after, end])
  const ids = page.map(({ id }) => id)
  // Another statement, which sees what was committed before the locks were had.
  const gone = ids.length === 0 ? [] : yield* sql.unsafe(eraseStatement, [organization, ids])
  return { erased: gone.length, after: page.length < eventsBatch ? null : (ids.at(-1) ?? null) }
})
