import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { CompleteMessage } from "@switchboard/services/messages/MessageRepo"
import { Effect, Option } from "effect"
import { readAttachments } from "./AttachmentRows.js"
import { type MessageRow, messageColumns, messageFromRow } from "./MessageJson.js"
import { messageTables } from "./MessageRows.js"

interface CompleteRow extends MessageRow {
  readonly direction: "outbound" | "inbound"
  readonly attachment_count: number
  readonly track_opens: boolean
}

/** Finds an organization's message with the contents of its attachments. */
export const selectComplete = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: MessageId
) {
  const [row] = yield* sql<CompleteRow>`SELECT ${sql.literal(messageColumns)},
      m.direction, m.attachment_count, m.track_opens
    FROM ${sql.literal(messageTables)} WHERE m.organization_id = ${organization} AND m.id = ${id}`
  if (row === undefined) return Option.none<CompleteMessage>()
  const hasFiles = row.direction === "outbound" && row.attachment_count > 0
  const files = yield* readAttachments(sql, hasFiles ? [{ organization_id: organization, message_id: id }] : [])
  return Option.some<CompleteMessage>({
    message: messageFromRow(row),
    attachments: files.get(id) ?? [],
    trackOpens: row.track_opens
  })
})
