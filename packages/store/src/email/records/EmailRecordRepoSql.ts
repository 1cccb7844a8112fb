import { SqlClient } from "@effect/sql"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import { type EmailMessage, isEmail, type Message } from "@switchboard/domain/messages/Message"
import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import {
  EmailRecordRepo,
  type RecordedFile,
  type StoredRecord
} from "@switchboard/services/email/records/EmailRecordRepo"
import { sentFileId, sentFileKey } from "@switchboard/services/email/records/EmailRecords"
import { Effect, Layer, Option } from "effect"
import { forRequest } from "../../database/Unavailable.js"
import { selectMessage } from "../../messages/MessageRows.js"

interface FileRow {
  readonly position: number
  readonly filename: string
  readonly content_type: string
  readonly content_id: string | null
  readonly size: number
}

interface ReceivedFileRow extends FileRow {
  readonly id: string
  readonly object_key: string
}

type MessageIds = Pick<Message, "id" | "organizationId">

interface ReceivedRow {
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly size: number
  readonly authentication: MailAuthentication | null
}

const fileFromRow = (row: FileRow, id: string, key: ObjectKey): RecordedFile => ({
  id,
  filename: row.filename,
  contentType: row.content_type,
  size: row.size,
  ...(row.content_id === null ? {} : { contentId: row.content_id }),
  key
})

/** Values of repeated headers, one per line: no value contains a line break. */
const joined = (headers: ReceivedRow["headers"]): Readonly<Record<string, string>> => {
  const lines = new Map<string, string>()
  for (const { name, value } of headers) {
    const before = lines.get(name)
    lines.set(name, before === undefined ? value : `${before}\n${value}`)
  }
  return Object.fromEntries(lines)
}

const octets = (text: string): number => Buffer.byteLength(text)

const receivedFiles = (sql: SqlClient.SqlClient, { id, organizationId }: MessageIds) =>
  Effect.map(
    sql<ReceivedFileRow>`SELECT position, id, filename, content_type, content_id, size, object_key
      FROM inbound_attachments WHERE organization_id = ${organizationId} AND message_id = ${id} ORDER BY position`,
    (rows) => rows.map((row) => fileFromRow(row, row.id, ObjectKey.make(row.object_key)))
  )

/** The first attachment of a submitted mail is the mail itself. */
const sentFiles = (sql: SqlClient.SqlClient, { id, organizationId }: MessageIds) =>
  Effect.map(
    sql<FileRow>`SELECT position, filename, content_type, content_id, octet_length(content) AS size
      FROM message_attachments WHERE organization_id = ${organizationId} AND message_id = ${id}
        AND (position > 0 OR EXISTS (SELECT FROM messages AS m WHERE m.organization_id = ${organizationId}
          AND m.id = ${id} AND m.addressing ->> 'submitted' IS NULL))
      ORDER BY position`,
    (rows) =>
      rows.map((row) => fileFromRow(row, sentFileId(id, row.position), sentFileKey(organizationId, id, row.position)))
  )

const received = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, message: Message) {
  const { id, organizationId } = message
  const [row] = yield* sql<ReceivedRow>`SELECT headers, size, authentication FROM inbound_messages
    WHERE organization_id = ${organizationId} AND message_id = ${id}`
  return {
    message,
    headers: joined(row?.headers ?? []),
    size: row?.size ?? 0,
    authentication: row?.authentication ?? null,
    files: yield* receivedFiles(sql, message)
  } satisfies StoredRecord
})

const sent = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, message: EmailMessage) {
  const { content, emailMetadata } = message
  const files = yield* sentFiles(sql, message)
  const contentSize = octets(content.subject) + octets(content.html) + octets(content.text)
  return {
    message,
    headers: emailMetadata.headers,
    size: files.reduce((total, { size }) => total + size, contentSize),
    authentication: null,
    files
  } satisfies StoredRecord
})

/** E-mails in the tables of messages, with their headers and attachments. */
export const EmailRecordRepoSql = Layer.effect(
  EmailRecordRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    find: (organization, id) =>
      Effect.gen(function* () {
        const found = yield* selectMessage(sql, organization, id)
        if (Option.isNone(found) || !isEmail(found.value)) return Option.none()
        const { direction } = found.value
        return Option.some<StoredRecord>(
          yield* direction === "inbound" ? received(sql, found.value) : sent(sql, found.value)
        )
      }).pipe(forRequest),
    files: (organizationId, id) =>
      Effect.gen(function* () {
        const [row] = yield* sql<{ direction: string }>`SELECT direction FROM messages
          WHERE organization_id = ${organizationId} AND id = ${id}`
        if (row === undefined) return Option.none()
        const find = row.direction === "inbound" ? receivedFiles : sentFiles
        return Option.some(yield* find(sql, { organizationId, id }))
      }).pipe(forRequest),
    receivedOctets: (organization, id) =>
      sql<{ raw: Uint8Array | null }>`SELECT raw FROM inbound_mails
        WHERE organization_id = ${organization} AND id = ${id}`.pipe(
        Effect.map(([row]) => Option.fromNullable(row?.raw)),
        forRequest
      ),
    sentFile: (organization, id, position) =>
      sql<{ content: Uint8Array }>`SELECT content FROM message_attachments
        WHERE organization_id = ${organization} AND message_id = ${id} AND position = ${position}`.pipe(
        Effect.map(([row]) => Option.map(Option.fromNullable(row), ({ content }) => content)),
        forRequest
      )
  }))
)
