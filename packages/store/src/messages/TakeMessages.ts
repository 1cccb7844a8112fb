import type { SqlClient } from "@effect/sql"
import type { EmailContent, MessageId } from "@switchboard/domain/messages/Message"
import { taken } from "@switchboard/domain/messages/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { TakenMessage, TakeRequest } from "@switchboard/services/messages/DeliveryQueue"
import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import { Array, DateTime, Effect, Either } from "effect"
import { type LeaseRow, leaseEntries } from "./LeaseEntries.js"
import type { Addressing } from "./MessageRows.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

/** Locks in the order of organization and message, and looks up one after the other by primary key whatever the plan. */
const readStatement = /* sql */ `
SELECT m.id, m.content, m.addressing, m.attachment_count, m.trace_parent, m.created_at, s.*
FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, message_id uuid)
    ORDER BY organization_id, message_id) AS t
  CROSS JOIN LATERAL (
    SELECT * FROM messages AS m WHERE m.organization_id = t.organization_id AND m.id = t.message_id OFFSET 0
  ) AS m
  CROSS JOIN LATERAL (
    SELECT ${stateColumns} FROM message_states AS s
    WHERE s.organization_id = t.organization_id AND s.message_id = m.id FOR UPDATE
  ) AS s`

const readAttachmentsStatement = /* sql */ `
SELECT a.message_id, a.filename, a.content_type, a.content_id, a.content
FROM json_to_recordset($1::json) AS t(organization_id uuid, message_id uuid)
  JOIN message_attachments AS a ON a.organization_id = t.organization_id AND a.message_id = t.message_id
ORDER BY a.organization_id, a.message_id, a.position`

/** An entry whose message is gone has nothing to deliver. */
const dropStatement = /* sql */ `
DELETE FROM message_queue AS q USING json_to_recordset($1::json) AS t(organization_id uuid, id uuid)
WHERE q.organization_id = t.organization_id AND q.id = t.id`

interface WorkRow extends StateRow {
  readonly id: MessageId
  readonly content: EmailContent
  readonly addressing: Addressing
  readonly attachment_count: number
  readonly trace_parent: string | null
  readonly created_at: Date
}

interface AttachmentRow {
  readonly message_id: MessageId
  readonly filename: string
  readonly content_type: string
  readonly content_id: string | null
  readonly content: Uint8Array
}

interface MessageKey {
  readonly organization_id: OrganizationId
  readonly message_id: MessageId
}

const keysOf = (entries: ReadonlyArray<MessageKey>) =>
  JSON.stringify(entries.map(({ message_id, organization_id }) => ({ organization_id, message_id })))

const attachmentFromRow = (row: AttachmentRow): StoredAttachment => ({
  filename: row.filename,
  contentType: row.content_type,
  contentId: row.content_id,
  content: row.content
})

/** The files of these messages, by message. Most messages have none: then nothing is asked. */
const readAttachments = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, entries: ReadonlyArray<MessageKey>) {
  if (entries.length === 0) return new Map<string, ReadonlyArray<AttachmentRow>>()
  const rows = yield* sql.unsafe<AttachmentRow>(readAttachmentsStatement, [keysOf(entries)])
  return new Map(Object.entries(Array.groupBy(rows, ({ message_id }) => message_id)))
})

const afterTake = (entry: LeaseRow, row: WorkRow, now: DateTime.Utc) => {
  const before = stateFromRow(row)
  const takeover = entry.takeovers > 0 && before.status === "processing"
  return { entry, row, before, after: taken(before, takeover, now) }
}

/**
 * Leases entries, and moves their messages to `processing`. Also says with which organization the next take goes on
 * after. To be run in a transaction.
 */
export const takeMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  request: TakeRequest,
  cursor: string
) {
  const leases = yield* leaseEntries(sql, request, cursor)
  const last = leases.at(-1)
  if (last === undefined) return { messages: [], cursor }
  const rows = yield* sql.unsafe<WorkRow>(readStatement, [keysOf(leases)])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const now = yield* DateTime.now
  const [orphans, work] = Array.partitionMap(leases, (entry) => {
    const row = byId.get(entry.message_id)
    return row === undefined ? Either.left(entry) : Either.right(afterTake(entry, row, now))
  })
  yield* writeStates(
    sql,
    work.map(({ after, before, entry }) => ({
      organizationId: entry.organization_id,
      messageId: entry.message_id,
      before,
      after
    }))
  )
  if (orphans.length > 0) {
    yield* sql.unsafe(dropStatement, [
      JSON.stringify(orphans.map(({ id, organization_id }) => ({ organization_id, id })))
    ])
  }
  const attachments = yield* readAttachments(
    sql,
    work.flatMap(({ entry, row }) => (row.attachment_count > 0 ? [entry] : []))
  )
  const messages = work.map(
    ({ after, entry, row }): TakenMessage => ({
      organizationId: entry.organization_id,
      messageId: entry.message_id,
      queueId: entry.id,
      takeovers: entry.takeovers,
      state: after,
      content: row.content,
      addressing: row.addressing,
      attachments: (attachments.get(entry.message_id) ?? []).map(attachmentFromRow),
      dueSince: DateTime.unsafeFromDate(entry.due_since),
      createdAt: DateTime.unsafeFromDate(row.created_at),
      traceParent: row.trace_parent
    })
  )
  return { messages, cursor: request.expiredOnly ? cursor : last.organization_id }
})
