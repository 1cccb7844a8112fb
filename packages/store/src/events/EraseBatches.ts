import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { minId } from "../retention/RetentionMarks.js"

/** Batches that one statement reads. */
const batchesPage = 1_000

/** SQL: no event of `event_batches AS b` is stored. Each event is found by primary key with any query plan. */
export const isEmptyBatch = `NOT EXISTS (
  SELECT FROM unnest(b.events) AS u(id) CROSS JOIN LATERAL (
    SELECT FROM events AS e WHERE e.organization_id = $1 AND e.id = u.id OFFSET 0
  ) AS e
)`

const eraseStatement = /* sql */ `
WITH page AS MATERIALIZED (
  SELECT * FROM event_batches WHERE organization_id = $1 AND first_event > $2 AND first_event < $3
  ORDER BY first_event LIMIT ${batchesPage}
), erased AS (
  DELETE FROM event_batches AS o USING page AS b
  WHERE o.organization_id = $1 AND o.position = b.position AND ${isEmptyBatch}
)
SELECT first_event AS last FROM page ORDER BY first_event DESC LIMIT 1 OFFSET ${batchesPage - 1}`

interface LastRead {
  readonly last: string
}

/** Deletes the batches without events that start before an id, page by page. */
export const eraseBatches = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, end: string) {
  const organizations = yield* sql<{ id: OrganizationId }>`SELECT id FROM organizations ORDER BY id`
  for (const { id } of organizations) {
    for (let after: string | undefined = minId; after !== undefined; ) {
      const [row]: ReadonlyArray<LastRead> = yield* sql.unsafe<LastRead>(eraseStatement, [id, after, end])
      after = row?.last
    }
  }
})
