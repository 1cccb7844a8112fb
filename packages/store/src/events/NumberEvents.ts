import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"
import { inBatches } from "../database/Batches.js"
import { retryConflicts } from "../database/Unavailable.js"

/** The maximum number of batches that one transaction assigns positions to. */
const maxNumbered = 5_000

/** One transaction at a time changes an organization's positions. The order of the locks prevents deadlocks. */
export const lockPositions = (sql: SqlClient.SqlClient, organizations: ReadonlyArray<OrganizationId>) =>
  sql`SELECT FROM event_positions WHERE organization_id = ANY (${organizations}::uuid[])
    ORDER BY organization_id FOR UPDATE`

const numberStatement = /* sql */ `
WITH taken AS (
  DELETE FROM new_event_batches WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM new_event_batches WHERE organization_id = ANY ($1::uuid[])
    ORDER BY organization_id, number LIMIT ${maxNumbered}
  )) RETURNING *
), numbered AS (
  INSERT INTO event_batches (organization_id, position, first_event, events)
  SELECT t.organization_id, p.last + row_number() OVER (PARTITION BY t.organization_id ORDER BY t.number), t.events[1],
    t.events
  FROM taken AS t JOIN event_positions AS p ON p.organization_id = t.organization_id
  RETURNING organization_id, position
), moved AS (
  UPDATE event_positions AS p SET last = n.last
  FROM (SELECT organization_id, max(position) AS last FROM numbered GROUP BY organization_id) AS n
  WHERE p.organization_id = n.organization_id
)
SELECT count(*)::int AS count FROM numbered`

/** Assigns positions to at most `maxNumbered` batches of committed events. Returns their number. */
const numberBatch = (sql: SqlClient.SqlClient, organizations: ReadonlyArray<OrganizationId>) =>
  Effect.gen(function* () {
    yield* sql`INSERT INTO event_positions (organization_id, last)
      SELECT id, 0 FROM unnest(${organizations}::uuid[]) AS id ORDER BY id ON CONFLICT DO NOTHING`
    yield* lockPositions(sql, organizations)
    // A separate statement: its snapshot includes batches that were committed before the lock was acquired.
    const [row] = yield* sql.unsafe<{ count: number }>(numberStatement, [[...organizations]])
    return row?.count ?? 0
  }).pipe(sql.withTransaction, retryConflicts)

/** Assigns positions to all committed events of an organization, above its assigned positions. */
export const numberEvents = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, organization: OrganizationId) {
  const unnumbered = yield* sql`SELECT FROM new_event_batches WHERE organization_id = ${organization} LIMIT 1`
  if (unnumbered.length > 0) yield* inBatches(numberBatch(sql, [organization]), maxNumbered)
})

/** Assigns positions to the committed events of all organizations. */
export const numberNewEvents = (sql: SqlClient.SqlClient) =>
  inBatches(
    sql<{ organization_id: OrganizationId }>`SELECT DISTINCT organization_id
      FROM (SELECT organization_id FROM new_event_batches LIMIT ${maxNumbered}) AS b`.pipe(
      Effect.flatMap((rows) =>
        rows.length === 0
          ? Effect.succeed(0)
          : numberBatch(
              sql,
              rows.map(({ organization_id }) => organization_id)
            )
      )
    ),
    maxNumbered
  )
