import type { SqlClient } from "@effect/sql"
import type { EmailContent, MessageId } from "@switchboard/domain/messages/Message"
import { longestWait, taken } from "@switchboard/domain/messages/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { TakenMessage, TakeRequest } from "@switchboard/services/messages/DeliveryQueue"
import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import { DateTime, Duration, Effect } from "effect"
import type { Addressing } from "./MessageRows.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

/** Organizations that one take looks at: the next take goes on after the last of them. */
const organizationsAtOnce = 200

/**
 * Leases what is ready, an entry of each organization, then the next of each…: the organizations are found by skipping
 * through the index from one to the next, so that how much waits does not matter. `$1` is where the last take ended.
 */
const leaseStatement = /* sql */ `
WITH RECURSIVE after_cursor AS (
  (SELECT organization_id, 1 AS n FROM message_queue
    WHERE lease_until IS NULL AND organization_id > $1 ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT (SELECT q.organization_id FROM message_queue AS q
    WHERE q.lease_until IS NULL AND q.organization_id > a.organization_id ORDER BY q.organization_id LIMIT 1), a.n + 1
  FROM after_cursor AS a WHERE a.organization_id IS NOT NULL AND a.n <= ${organizationsAtOnce}
), before_cursor AS (
  (SELECT organization_id, 1 AS n FROM message_queue
    WHERE lease_until IS NULL AND organization_id <= $1 ORDER BY organization_id LIMIT 1)
  UNION ALL
  SELECT (SELECT q.organization_id FROM message_queue AS q WHERE q.lease_until IS NULL
    AND q.organization_id > b.organization_id AND q.organization_id <= $1 ORDER BY q.organization_id LIMIT 1), b.n + 1
  FROM before_cursor AS b WHERE b.organization_id IS NOT NULL AND b.n <= ${organizationsAtOnce}
), owners AS (
  SELECT o.organization_id, row_number() OVER () AS turn FROM (
    (SELECT organization_id FROM after_cursor WHERE organization_id IS NOT NULL ORDER BY n)
    UNION ALL
    (SELECT organization_id FROM before_cursor WHERE organization_id IS NOT NULL ORDER BY n)
  ) AS o WHERE o.organization_id <> ALL ($2::uuid[]) LIMIT ${organizationsAtOnce}
), candidates AS (
  SELECT o.organization_id, o.turn, e.id, row_number() OVER (PARTITION BY o.organization_id ORDER BY e.ready_at, e.id) AS place
  FROM owners AS o CROSS JOIN LATERAL (
    SELECT q.id, q.ready_at FROM message_queue AS q
    WHERE q.organization_id = o.organization_id AND q.lease_until IS NULL
    ORDER BY q.ready_at, q.id LIMIT $3 FOR UPDATE SKIP LOCKED
  ) AS e
), chosen AS MATERIALIZED (
  SELECT organization_id, id FROM candidates ORDER BY place, turn LIMIT $4
)
UPDATE message_queue AS q SET worker = $5, lease_until = now() + make_interval(secs => $6)
FROM chosen AS c WHERE q.organization_id = c.organization_id AND q.id = c.id
RETURNING q.organization_id, q.id, q.message_id, q.takeovers, q.due_since`

/** What has waited longer than a message may. A retry that is still to come is found when its time has come. */
const leaseExpiredStatement = /* sql */ `
UPDATE message_queue AS q SET worker = $2, lease_until = now() + make_interval(secs => $3)
FROM (SELECT organization_id, id FROM message_queue WHERE lease_until IS NULL
  AND due_since < now() - make_interval(secs => $4) LIMIT $1 FOR UPDATE SKIP LOCKED) AS l
WHERE q.organization_id = l.organization_id AND q.id = l.id
RETURNING q.organization_id, q.id, q.message_id, q.takeovers, q.due_since`

const readStatement = /* sql */ `
SELECT m.organization_id, m.id, m.content, m.addressing, m.attachment_count, m.trace_parent, m.created_at, ${stateColumns}
FROM json_to_recordset($1::json) AS t(organization_id uuid, message_id uuid)
  JOIN messages AS m ON m.organization_id = t.organization_id AND m.id = t.message_id
  JOIN message_states AS s ON s.organization_id = m.organization_id AND s.message_id = m.id
ORDER BY m.organization_id, m.id FOR UPDATE OF s`

interface LeaseRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly message_id: MessageId
  readonly takeovers: number
  readonly due_since: Date
}

interface WorkRow extends StateRow {
  readonly organization_id: OrganizationId
  readonly id: MessageId
  readonly content: EmailContent
  readonly addressing: Addressing
  readonly attachment_count: number
  readonly trace_parent: string | null
  readonly created_at: Date
}

interface AttachmentRow {
  readonly filename: string
  readonly content_type: string
  readonly content_id: string | null
  readonly content: Uint8Array
}

const readAttachments = (sql: SqlClient.SqlClient, row: WorkRow) =>
  row.attachment_count === 0
    ? Effect.succeed<ReadonlyArray<StoredAttachment>>([])
    : Effect.map(
        sql<AttachmentRow>`SELECT filename, content_type, content_id, content FROM message_attachments
          WHERE organization_id = ${row.organization_id} AND message_id = ${row.id} ORDER BY position`,
        (attachments) =>
          attachments.map(({ content, content_id, content_type, filename }) => ({
            filename,
            contentType: content_type,
            contentId: content_id,
            content
          }))
      )

/** Leases entries, and moves their messages to `processing`. To be run in a transaction. */
export const takeMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  request: TakeRequest,
  cursor: string
) {
  const lease = Duration.toSeconds(request.lease)
  const leases = request.expiredOnly
    ? yield* sql.unsafe<LeaseRow>(leaseExpiredStatement, [
        request.limit,
        request.worker,
        lease,
        Duration.toSeconds(longestWait)
      ])
    : yield* sql.unsafe<LeaseRow>(leaseStatement, [
        cursor,
        [...request.saturated],
        request.perOrganization,
        request.limit,
        request.worker,
        lease
      ])
  if (leases.length === 0) return []
  const byMessage = new Map(leases.map((entry) => [entry.message_id, entry]))
  const rows = yield* sql.unsafe<WorkRow>(readStatement, [
    JSON.stringify(leases.map(({ message_id, organization_id }) => ({ organization_id, message_id })))
  ])
  const now = yield* DateTime.now
  const work = yield* Effect.forEach(rows, (row) =>
    Effect.map(readAttachments(sql, row), (attachments) => {
      const entry = byMessage.get(row.id)
      const before = stateFromRow(row)
      const takeover = (entry?.takeovers ?? 0) > 0 && before.status === "processing"
      return { row, entry, attachments, before, after: taken(before, takeover, now) }
    })
  )
  yield* writeStates(
    sql,
    work.map(({ after, before, row }) => ({ organizationId: row.organization_id, messageId: row.id, before, after }))
  )
  // The message of an entry is deleted with the entry; one that is left over has nothing to deliver.
  const known = new Set(rows.map(({ id }) => id))
  const orphans = leases.filter(({ message_id }) => !known.has(message_id))
  if (orphans.length > 0)
    yield* sql`DELETE FROM message_queue WHERE ${sql.in(
      "id",
      orphans.map(({ id }) => id)
    )}`
  return work.flatMap(
    ({ after, attachments, entry, row }): ReadonlyArray<TakenMessage> =>
      entry === undefined
        ? []
        : [
            {
              organizationId: row.organization_id,
              messageId: row.id,
              queueId: entry.id,
              takeovers: entry.takeovers,
              state: after,
              content: row.content,
              addressing: row.addressing,
              attachments,
              dueSince: DateTime.unsafeFromDate(entry.due_since),
              createdAt: DateTime.unsafeFromDate(row.created_at),
              traceParent: row.trace_parent
            }
          ]
  )
})
