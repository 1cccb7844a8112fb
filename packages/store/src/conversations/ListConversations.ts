import type { SqlClient } from "@effect/sql"
import type { ConversationFilters } from "@switchboard/domain/conversations/ConversationRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect } from "effect"
import { found } from "../Search.js"
import { conversationColumns, conversationFromRow } from "./ConversationRows.js"

/** A page of an organization's conversations, newest first, with the exact number of all that match. */
export const listConversations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { channel, participantId, priority, search, status, tag }: ConversationFilters,
  request: PageRequest
) {
  const where = sql.and([
    sql`c.organization_id = ${organization}`,
    ...(status === undefined ? [] : [sql`c.status = ${status}`]),
    ...(channel === undefined ? [] : [sql`${channel} = ANY (c.channels)`]),
    ...(priority === undefined ? [] : [sql`c.priority = ${priority}`]),
    ...(tag === undefined ? [] : [sql`${tag} = ANY (c.tags)`]),
    ...(search === undefined ? [] : [found(sql, search, ["c.title", "c.description"])]),
    ...(participantId === undefined
      ? []
      : [
          sql`c.id IN (SELECT j.conversation_id FROM conversation_participants AS j
            WHERE j.organization_id = ${organization} AND j.participant_id = ${participantId})`
        ])
  ])
  // What messages say of each is asked for the page alone.
  const rows = yield* sql`SELECT ${sql.literal(conversationColumns)} FROM (
      SELECT * FROM conversations AS c WHERE ${where}
      ORDER BY c.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}
    ) AS c ORDER BY c.id DESC`
  const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
    FROM conversations AS c WHERE ${where}`
  return page(yield* readableRows(rows, conversationFromRow), count?.total ?? 0, request)
})
