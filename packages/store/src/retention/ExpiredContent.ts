import type { SqlClient } from "@effect/sql"
import { undeliveredStatuses } from "@switchboard/domain/messages/state/MessageStatus"
import { DateTime, type Duration, Effect } from "effect"
import { textList } from "../database/TextList.js"
import { channelQueues, sendingChannels } from "../queues/QueueTables.js"
import { type ExpiredPage, type Expiring, eraseExpired } from "./ExpiredRows.js"

/** SQL: an inbound mail is processed and has no waiting forwardings. */
export const isMailDone = (mail: string) => `${mail}.processed_at IS NOT NULL AND NOT EXISTS (
    SELECT FROM forwardings AS f
    WHERE f.organization_id = ${mail}.organization_id AND f.mail_id = ${mail}.id AND f.status = 'waiting')`

/** A row that still has its content. */
interface Content {
  readonly id: string
  readonly isFinal: boolean
}

/** Content that is erased while its row stays. */
interface ExpiringContent extends Pick<Expiring, "table" | "batch"> {
  /** The name of the marks and rechecks. */
  readonly kind: string
  /** SQL: the rows of `$1` (the organization) and `$2` (ids) that still have their content. */
  readonly find: string
  /** SQL: erases the content of these rows, which are final, at the time `$3`. */
  readonly erase: string
}

/**
 * Erases the content of expired rows. A row is read once: one that is not final is stored in `retention_rechecks`, with
 * which each round begins.
 */
export const eraseContent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { batch, erase, find, kind, table }: ExpiringContent,
  retention: Duration.Duration
) {
  const eraseFinal = Effect.fnUntraced(function* ({ ids, now, organizationId }: ExpiredPage) {
    const found = yield* sql.unsafe<Content>(find, [organizationId, ids])
    const final = found.flatMap(({ id, isFinal }) => (isFinal ? [id] : []))
    if (final.length > 0) yield* sql.unsafe(erase, [organizationId, final, DateTime.formatIso(now)])
    return { count: final.length, open: found.flatMap(({ id, isFinal }) => (isFinal ? [] : [id])) }
  })
  const rechecks: Expiring = {
    table: "retention_rechecks",
    id: "id",
    where: `t.kind = '${kind}'`,
    batch,
    erase: Effect.fnUntraced(function* (_, page) {
      const { count, open } = yield* eraseFinal(page)
      yield* sql`DELETE FROM retention_rechecks WHERE organization_id = ${page.organizationId} AND kind = ${kind}
        AND id = ANY (${page.ids}::uuid[]) AND id <> ALL (${open}::uuid[])`
      return count
    })
  }
  const rows: Expiring = {
    table,
    id: "id",
    mark: kind,
    batch,
    erase: Effect.fnUntraced(function* (_, page) {
      const { count, open } = yield* eraseFinal(page)
      yield* sql`INSERT INTO retention_rechecks (organization_id, kind, id)
        SELECT ${page.organizationId}, ${kind}, unnest(${open}::uuid[]) ON CONFLICT DO NOTHING`
      return count
    })
  }
  const rechecked = yield* eraseExpired(sql, rechecks, retention)
  return rechecked + (yield* eraseExpired(sql, rows, retention))
})

/** SQL: the delivery of the message `m` has ended for all recipients. Each lookup is by primary key. */
const isFinal = `NOT EXISTS (SELECT FROM message_states AS s WHERE s.organization_id = m.organization_id
    AND s.message_id = m.id AND s.status IN ${textList(undeliveredStatuses)})
${sendingChannels
  .flatMap((channel) => [`${channelQueues[channel].name}_queue`, `${channelQueues[channel].name}_waiting`])
  .map(
    (table) =>
      `  AND NOT EXISTS (SELECT FROM ${table} AS q WHERE q.organization_id = m.organization_id AND q.id = m.queue_message_id)`
  )
  .join("\n")}
  AND NOT EXISTS (SELECT FROM inbound_mails AS i WHERE i.organization_id = m.organization_id AND i.id = m.id
    AND NOT (${isMailDone("i")}))`

/** The content of messages, with their attachments, raw mails and clicks. Other fields of the content stay as they are. */
export const bodies: ExpiringContent = {
  table: "messages",
  kind: "bodies",
  batch: 400,
  find: /* sql */ `
SELECT m.id, ${isFinal} AS "isFinal" FROM messages AS m
WHERE m.organization_id = $1 AND m.id = ANY ($2::uuid[]) AND m.content ->> 'erasedAt' IS NULL`,
  erase: /* sql */ `
WITH erased AS (
  UPDATE messages AS m SET attachment_count = 0, content = (
    SELECT json_object_agg(key, value) FROM (
      SELECT key, CASE WHEN key IN ('html', 'text') THEN '""' WHEN key = 'attachments' THEN '[]' ELSE value END AS value
      FROM json_each(m.content) WHERE CASE m.channel WHEN 'whatsapp' THEN key = 'from' ELSE key <> 'replyText' END
      UNION ALL SELECT 'erasedAt', to_json($3::text)
    ) AS parts
  )
  WHERE m.organization_id = $1 AND m.id = ANY ($2::uuid[])
), clicks AS (
  UPDATE message_states SET clicks = NULL
  WHERE organization_id = $1 AND message_id = ANY ($2::uuid[]) AND clicks IS NOT NULL
), sent_files AS (
  DELETE FROM message_attachments WHERE organization_id = $1 AND message_id = ANY ($2::uuid[])
), mails AS (
  UPDATE inbound_mails SET raw = NULL WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND raw IS NOT NULL
), files AS (
  DELETE FROM inbound_attachments WHERE organization_id = $1 AND message_id = ANY ($2::uuid[])
  RETURNING organization_id, object_key
)
INSERT INTO object_removals (organization_id, key, due_at)
SELECT organization_id, object_key, now() FROM files ON CONFLICT DO NOTHING`
}

/** The octets of received mails. */
export const inboundRaw: ExpiringContent = {
  table: "inbound_mails",
  kind: "inbound_raw",
  batch: 500,
  find: /* sql */ `
SELECT m.id, ${isMailDone("m")} AS "isFinal" FROM inbound_mails AS m
WHERE m.organization_id = $1 AND m.id = ANY ($2::uuid[]) AND m.raw IS NOT NULL`,
  erase: /* sql */ `
UPDATE inbound_mails SET raw = NULL
WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND $3::text IS NOT NULL`
}
