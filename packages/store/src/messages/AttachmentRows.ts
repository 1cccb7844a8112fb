import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import { Array, Effect } from "effect"

/** The key of a message in a record. */
export interface MessageKey {
  readonly organization_id: OrganizationId
  readonly message_id: MessageId
}

/** Keys as records for `json_to_recordset`. */
export const keysOf = (entries: ReadonlyArray<MessageKey>) =>
  JSON.stringify(entries.map(({ message_id, organization_id }) => ({ organization_id, message_id })))

/** The length of a stored value is known without reading it. */
const sizesStatement = /* sql */ `
SELECT a.message_id, sum(octet_length(a.content))::float8 AS bytes
FROM json_to_recordset($1::json) AS t(organization_id uuid, message_id uuid)
  JOIN message_attachments AS a ON a.organization_id = t.organization_id AND a.message_id = t.message_id
GROUP BY a.message_id`

const readStatement = /* sql */ `
SELECT a.message_id, a.filename, a.content_type, a.content_id, a.content
FROM json_to_recordset($1::json) AS t(organization_id uuid, message_id uuid)
  JOIN message_attachments AS a ON a.organization_id = t.organization_id AND a.message_id = t.message_id
ORDER BY a.organization_id, a.message_id, a.position`

interface AttachmentRow {
  readonly message_id: MessageId
  readonly filename: string
  readonly content_type: string
  readonly content_id: string | null
  readonly content: Uint8Array
}

const attachmentFromRow = (row: AttachmentRow): StoredAttachment => ({
  filename: row.filename,
  contentType: row.content_type,
  contentId: row.content_id,
  content: row.content
})

/** The total size of each message's attachments, in octets. No statement runs for messages without attachments. */
export const attachmentSizes = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: ReadonlyArray<MessageKey>
) {
  if (messages.length === 0) return new Map<MessageId, number>()
  const rows = yield* sql.unsafe<{ message_id: MessageId; bytes: number }>(sizesStatement, [keysOf(messages)])
  return new Map(rows.map(({ bytes, message_id }) => [message_id, bytes]))
})

/** Attachments by message. */
export const readAttachments = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: ReadonlyArray<MessageKey>
) {
  if (messages.length === 0) return new Map<string, ReadonlyArray<StoredAttachment>>()
  const rows = yield* sql.unsafe<AttachmentRow>(readStatement, [keysOf(messages)])
  return new Map(
    Object.entries(Array.groupBy(rows, ({ message_id }) => message_id)).map(([id, files]) => [
      id,
      files.map(attachmentFromRow)
    ])
  )
})
