import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import type { MessageFilter } from "@switchboard/services/messages/MessageRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { DateTime, Effect } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { type MessageRow, messageFromRow, messageParticipants, messageTables } from "./MessageRows.js"
import { stateColumns } from "./StateRows.js"

/** A page of an organization's messages, newest first, with the exact number of all that match. */
export const listMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filter: MessageFilter,
  request: PageRequest
) {
  const { channel, conversationId, endDate, participantId, startDate, status } = filter
  const narrowing = [
    ...(channel === undefined ? [] : [sql`m.channel = ${channel}`]),
    ...(status === undefined ? [] : [sql`s.organization_id = ${organization} AND s.status = ${status}`]),
    ...(conversationId === undefined ? [] : [sql`m.conversation_id = ${conversationId}`]),
    ...(participantId === undefined
      ? []
      : [
          sql`m.id IN (SELECT p.message_id FROM message_participants AS p
            WHERE p.organization_id = ${organization} AND p.participant_id = ${participantId})`
        ]),
    ...(startDate === undefined ? [] : [sql`m.id >= ${firstIdAt(startDate)}`]),
    ...(endDate === undefined ? [] : [sql`m.id < ${firstIdAt(DateTime.add(endDate, { millis: 1 }))}`])
  ]
  const tables = sql.literal(messageTables)
  const where = sql.and([sql`m.organization_id = ${organization}`, ...narrowing])
  // Participants are looked up outside of the page, or they would be for every message that it skips.
  const rows = yield* sql<MessageRow>`SELECT m.*, ${sql.literal(messageParticipants)} FROM (
      SELECT m.*, ${sql.literal(stateColumns)} FROM ${tables} WHERE ${where}
      ORDER BY m.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}
    ) AS m ORDER BY m.id DESC`
  const [count] =
    narrowing.length === 0
      ? yield* sql<{ total: number }>`SELECT messages_kept::float8 AS total FROM organization_usage
          WHERE organization_id = ${organization}`
      : yield* sql<{ total: number }>`SELECT count(*)::float8 AS total FROM ${tables} WHERE ${where}`
  return page(yield* readableRows(rows, messageFromRow), count?.total ?? 0, request)
})
