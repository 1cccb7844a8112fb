import { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect } from "effect"

/** A text per thread, participant of a thread, and count, from the stored sums. */
const storedStatement = /* sql */ `
SELECT concat_ws(' ', 'thread', thread_id, status, messages, unread, with_attachments, first_id, first_at, last_id,
  last_at, last_direction) AS line FROM thread_sums WHERE organization_id = $1
UNION ALL
SELECT concat_ws(' ', 'participant', thread_id, participant_id, status, messages) FROM thread_participants
WHERE organization_id = $1
UNION ALL
SELECT concat_ws(' ', 'counts', active, resolved, archived) FROM thread_counts WHERE organization_id = $1
UNION ALL
SELECT concat_ws(' ', 'quarters', sum(threads)) FROM thread_quarters WHERE organization_id = $1
ORDER BY line`

/** The same from the messages. */
const countedStatement = /* sql */ `
WITH named AS (
  SELECT m.*, t.read_up_to, CASE WHEN c.status IN ('resolved', 'archived') THEN c.status ELSE 'active' END AS status
  FROM messages AS m JOIN threads AS t ON t.organization_id = m.organization_id AND t.id = m.thread_id
    JOIN conversations AS c ON c.organization_id = t.organization_id AND c.id = t.conversation_id
  WHERE m.organization_id = $1
), sums AS (
  SELECT thread_id, status, count(*) AS messages,
    count(*) FILTER (WHERE direction = 'inbound' AND (read_up_to IS NULL OR id > read_up_to)) AS unread,
    count(*) FILTER (WHERE attachment_count > 0) AS with_attachments, min(id::text) AS first_id,
    min(created_at) AS first_at, max(id::text) AS last_id, max(created_at) AS last_at,
    (array_agg(direction ORDER BY id DESC))[1] AS last_direction
  FROM named GROUP BY 1, 2
)
SELECT concat_ws(' ', 'thread', thread_id, status, messages, unread, with_attachments, first_id, first_at, last_id,
  last_at, last_direction) AS line FROM sums
UNION ALL
SELECT concat_ws(' ', 'participant', thread_id, p.id, status, count(*)) FROM named
  CROSS JOIN LATERAL (SELECT DISTINCT unnest(from_participant_id || to_participant_ids) AS id) AS p
GROUP BY thread_id, p.id, status
UNION ALL
SELECT concat_ws(' ', 'counts', count(*) FILTER (WHERE status = 'active'),
  count(*) FILTER (WHERE status = 'resolved'), count(*) FILTER (WHERE status = 'archived')) FROM sums
UNION ALL
SELECT concat_ws(' ', 'quarters', count(*)) FROM sums
ORDER BY line`

/** The stored sums of an organization's threads, and the same counted from its messages. */
export const recountThreads = Effect.fnUntraced(function* (organization: OrganizationId) {
  const sql = yield* SqlClient.SqlClient
  const lines = (statement: string) =>
    Effect.map(sql.unsafe<{ readonly line: string }>(statement, [organization]), (rows) => rows.map(({ line }) => line))
  return { stored: yield* lines(storedStatement), counted: yield* lines(countedStatement) }
})
