import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, type Duration, Effect } from "effect"
import { bounds, earliest, holdMark, setMark } from "./RetentionMarks.js"

/** Messages of one transaction. */
export const bodiesBatch = 200

/** Whether a mail that came in is worked off: nobody reads it, and it goes on to nobody any more. */
export const mailIsDone = (mail: string) => `${mail}.processed_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM forwardings AS f
    WHERE f.organization_id = ${mail}.organization_id AND f.mail_id = ${mail}.id AND f.status = 'waiting')`

/**
 * Whether nobody sends a message any more: it has ended, and no recipient of it waits. For `messages AS m`, each looked
 * up by primary key.
 */
const isFinal = `NOT EXISTS (SELECT FROM message_states AS s WHERE s.organization_id = m.organization_id
    AND s.message_id = m.id AND s.status IN ('pending', 'scheduled', 'queued', 'processing'))
  AND NOT EXISTS (SELECT FROM message_queue AS q WHERE q.organization_id = m.organization_id AND q.message_id = m.id)
  AND NOT EXISTS (SELECT FROM message_waiting AS w WHERE w.organization_id = m.organization_id AND w.message_id = m.id)
  AND NOT EXISTS (SELECT FROM inbound_mails AS i WHERE i.organization_id = m.organization_id AND i.id = m.id
    AND NOT (${mailIsDone("i")}))`

/** Those that were not looked at yet, in the order of ids. */
const nextStatement = /* sql */ `
SELECT m.id, ${isFinal} AS is_final FROM messages AS m
WHERE m.organization_id = $1 AND m.id > $2 AND m.id < $3 AND m.content ->> 'erasedAt' IS NULL
  AND NOT EXISTS (SELECT FROM retention_postponed AS p WHERE p.organization_id = $1 AND p.message_id = m.id)
ORDER BY m.id LIMIT ${bodiesBatch}`

const postponedStatement = /* sql */ `
WITH gone AS (
  DELETE FROM retention_postponed AS p WHERE p.organization_id = $1
    AND NOT EXISTS (SELECT FROM messages AS m WHERE m.organization_id = $1 AND m.id = p.message_id)
)
SELECT m.id FROM retention_postponed AS p JOIN messages AS m ON m.organization_id = p.organization_id AND m.id = p.message_id
WHERE p.organization_id = $1 AND ${isFinal} LIMIT ${bodiesBatch}`

/** The rest of the content stays as it was written. */
const eraseStatement = /* sql */ `
WITH erased AS (
  UPDATE messages AS m SET attachment_count = 0, content = (
    SELECT json_object_agg(key, value) FROM (
      SELECT key, CASE WHEN key IN ('html', 'text') THEN '""' WHEN key = 'attachments' THEN '[]' ELSE value END AS value
      FROM json_each(m.content)
      UNION ALL SELECT 'erasedAt', to_json($3::text)
    ) AS parts
  )
  WHERE m.organization_id = $1 AND m.id = ANY ($2::uuid[])
), sent_files AS (
  DELETE FROM message_attachments WHERE organization_id = $1 AND message_id = ANY ($2::uuid[])
), mails AS (
  UPDATE inbound_mails SET raw = NULL WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND raw IS NOT NULL
), files AS (
  DELETE FROM inbound_attachments WHERE organization_id = $1 AND message_id = ANY ($2::uuid[]) RETURNING object_key
), objects AS (
  INSERT INTO object_removals (organization_id, key, due_at) SELECT $1, object_key, now() FROM files ON CONFLICT DO NOTHING
)
DELETE FROM retention_postponed WHERE organization_id = $1 AND message_id = ANY ($2::uuid[])`

interface Found {
  readonly id: MessageId
  readonly is_final: boolean
}

/**
 * Erases what a batch of an organization's old messages say: those that came of age since the last time, and those that
 * were not final then. How many of either there were, so that whoever finds fewer than a batch is done. To be run in a
 * transaction.
 */
export const eraseBodies = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  kept: Duration.Duration
) {
  const now = yield* DateTime.now
  const { end, markable } = bounds(now, kept)
  const mark = yield* holdMark(sql, organization, "bodies")
  if (mark === null) return { found: 0, erased: 0 }
  const next = yield* sql.unsafe<Found>(nextStatement, [organization, mark, end])
  const postponed = yield* sql.unsafe<{ readonly id: MessageId }>(postponedStatement, [organization])
  const ids = [...next.filter(({ is_final }) => is_final), ...postponed].map(({ id }) => id)
  const open = next.filter(({ is_final }) => !is_final).map(({ id }) => id)
  yield* sql.unsafe(eraseStatement, [organization, ids, DateTime.formatIso(now)])
  yield* sql`INSERT INTO retention_postponed (organization_id, message_id) SELECT ${organization}, unnest(${open}::uuid[])`
  const last = next.length < bodiesBatch ? end : (next.at(-1)?.id ?? end)
  yield* setMark(sql, organization, "bodies", earliest(last, markable))
  return { found: Math.max(next.length, postponed.length), erased: ids.length }
})
