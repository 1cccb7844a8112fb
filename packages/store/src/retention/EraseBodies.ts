import type { SqlClient } from "@effect/sql"
import { undeliveredStatuses } from "@switchboard/domain/messages/state/MessageStatus"
import { DateTime, Effect } from "effect"
import { textList } from "../database/TextList.js"
import { keysOf, type OpenItem } from "./DueRows.js"
import type { Expiring } from "./EraseDue.js"

/** SQL: an inbound mail is processed and has no waiting forwardings. */
export const isMailDone = (mail: string) => `${mail}.processed_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM forwardings AS f
    WHERE f.organization_id = ${mail}.organization_id AND f.mail_id = ${mail}.id AND f.status = 'waiting')`

/** SQL: the delivery of the message `m` has ended for all recipients. Each lookup is by primary key. */
const isFinal = `NOT EXISTS (SELECT FROM message_states AS s WHERE s.organization_id = m.organization_id
    AND s.message_id = m.id AND s.status IN ${textList(undeliveredStatuses)})
  AND NOT EXISTS (SELECT FROM message_queue AS q WHERE q.organization_id = m.organization_id AND q.id = m.queue_message_id)
  AND NOT EXISTS (SELECT FROM message_waiting AS w WHERE w.organization_id = m.organization_id AND w.id = m.queue_message_id)
  AND NOT EXISTS (SELECT FROM inbound_mails AS i WHERE i.organization_id = m.organization_id AND i.id = m.id
    AND NOT (${isMailDone("i")}))`

/** The messages of `$1` (organizations) and `$2` (ids) that exist. The lookups are by primary key with any plan. */
const messagesStatement = /* sql */ `
SELECT m.organization_id AS "organizationId", m.id, ${isFinal} AS "isFinal"
FROM unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id) CROSS JOIN LATERAL (
  SELECT organization_id, id, queue_message_id FROM messages WHERE organization_id = k.organization_id AND id = k.id OFFSET 0
) AS m`

/** Other fields of the content stay as they are. */
const eraseStatement = /* sql */ `
WITH due AS MATERIALIZED (
  SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS k(organization_id, id)
), erased AS (
  UPDATE messages AS m SET attachment_count = 0, content = (
    SELECT json_object_agg(key, value) FROM (
      SELECT key, CASE WHEN key IN ('html', 'text') THEN '""' WHEN key = 'attachments' THEN '[]' ELSE value END AS value
      FROM json_each(m.content) WHERE key <> 'replyText'
      UNION ALL SELECT 'erasedAt', to_json($3::text)
    ) AS parts
  )
  FROM due AS d WHERE m.organization_id = d.organization_id AND m.id = d.id
), sent_files AS (
  DELETE FROM message_attachments AS a USING due AS d WHERE a.organization_id = d.organization_id AND a.message_id = d.id
), mails AS (
  UPDATE inbound_mails AS i SET raw = NULL FROM due AS d
  WHERE i.organization_id = d.organization_id AND i.id = d.id AND i.raw IS NOT NULL
), files AS (
  DELETE FROM inbound_attachments AS a USING due AS d
  WHERE a.organization_id = d.organization_id AND a.message_id = d.id RETURNING a.organization_id, a.object_key
)
INSERT INTO object_removals (organization_id, key, due_at)
SELECT organization_id, object_key, now() FROM files ON CONFLICT DO NOTHING`

interface Found extends OpenItem {
  readonly isFinal: boolean
}

/** The content of messages. */
export const bodies: Expiring = {
  kind: "bodies",
  table: "messages",
  id: "t.id",
  item: "t.id",
  remains: `t.content ->> 'erasedAt' IS NULL AND NOT EXISTS (SELECT FROM retention_rechecks AS r
    WHERE r.organization_id = t.organization_id AND r.kind = 'bodies' AND r.id = t.id)`,
  batch: 400,
  erase: Effect.fnUntraced(function* (sql: SqlClient.SqlClient, items, { now }) {
    const found = yield* sql.unsafe<Found>(messagesStatement, keysOf(items))
    const final = found.filter(({ isFinal }) => isFinal)
    if (final.length > 0) yield* sql.unsafe(eraseStatement, [...keysOf(final), DateTime.formatIso(now)])
    return { erased: final.length, open: found.filter(({ isFinal }) => !isFinal) }
  })
}
