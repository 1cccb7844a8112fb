import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import { inSlices } from "@switchboard/services/NextTurn"
import type { Slices } from "@switchboard/services/Slices"
import { Effect } from "effect"

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

/** The maximum size of a part in which a content is read, so that other requests are handled while it is converted. */
const partBytes = 256 * 1024

/** A row for each part of a content. They are not sorted: a sort would write all contents to disk. */
const readStatement = /* sql */ `
SELECT a.message_id, a.position, a.filename, a.content_type, a.content_id, octet_length(a.content) AS size, part.start,
  substring(a.content FROM part.start + 1 FOR ${partBytes}) AS part
FROM json_to_recordset($1::json) AS t(organization_id uuid, message_id uuid)
  JOIN message_attachments AS a ON a.organization_id = t.organization_id AND a.message_id = t.message_id
  CROSS JOIN generate_series(0, greatest(octet_length(a.content) - 1, 0), ${partBytes}) AS part(start)`

interface PartRow {
  readonly message_id: MessageId
  readonly position: number
  readonly filename: string
  readonly content_type: string
  readonly content_id: string | null
  readonly size: number
  readonly start: number
  readonly part: Uint8Array
}

/** Joins the parts of attachments. Returns the attachments of each message, by position. */
function* joinParts(rows: ReadonlyArray<PartRow>): Slices<Map<MessageId, ReadonlyArray<StoredAttachment>>> {
  const messages = new Map<MessageId, Array<StoredAttachment>>()
  for (const row of rows) {
    const files = messages.get(row.message_id) ?? []
    const content = files[row.position]?.content ?? Buffer.allocUnsafe(row.size)
    content.set(row.part, row.start)
    files[row.position] = { filename: row.filename, contentType: row.content_type, contentId: row.content_id, content }
    messages.set(row.message_id, files)
    if (row.part.byteLength === partBytes) yield
  }
  return messages
}

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
export const readAttachments = (sql: SqlClient.SqlClient, messages: ReadonlyArray<MessageKey>) =>
  messages.length === 0
    ? Effect.succeed(new Map<MessageId, ReadonlyArray<StoredAttachment>>())
    : Effect.flatMap(sql.unsafe<PartRow>(readStatement, [keysOf(messages)]), (rows) => inSlices(joinParts(rows)))
