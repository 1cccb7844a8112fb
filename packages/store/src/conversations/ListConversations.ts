import type { SqlClient } from "@effect/sql"
import type { ConversationFilters } from "@switchboard/domain/conversations/ConversationRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { Effect } from "effect"
import { containsText } from "../ContainsText.js"
import { searched } from "../SearchIds.js"
import { selectPage } from "../SelectPage.js"
import { conversationColumns, conversationFromRow } from "./ConversationRows.js"

/** `conversations AS c`, joined to a table of the list. */
const conversations = "JOIN conversations AS c ON c.organization_id = l.organization_id AND c.id = l.conversation_id"

/** The table that has the matches of one filter in the order of the list, `AS l`. */
const listOf = (sql: SqlClient.SqlClient, { channel, participantId, tag }: ConversationFilters) => {
  if (participantId !== undefined)
    return { table: "conversation_participants AS l", matches: sql`l.participant_id = ${participantId}` }
  const label = tag !== undefined ? `tag:${tag}` : channel !== undefined ? `channel:${channel}` : undefined
  return label === undefined ? undefined : { table: "conversation_labels AS l", matches: sql`l.label = ${label}` }
}

/** A page of an organization's conversations, newest first. */
export const listConversations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filters: ConversationFilters,
  request: PageRequest
) {
  const { channel, participantId, priority, search, status, tag } = filters
  const test = search === undefined ? undefined : containsText(sql, search, ["c.title", "c.description"])
  const found = yield* searched(
    sql,
    "c.id",
    test && {
      select: sql`SELECT c.id FROM conversations AS c WHERE c.organization_id = ${organization} AND ${test}`,
      tests: { where: [test] }
    }
  )
  const conditions = [
    ...(status === undefined ? [] : [sql`c.status = ${status}`]),
    ...(channel === undefined ? [] : [sql`${channel} = ANY (c.channels)`]),
    ...(priority === undefined ? [] : [sql`c.priority = ${priority}`]),
    ...(tag === undefined ? [] : [sql`${tag} = ANY (c.tags)`]),
    ...found.where
  ]
  const list = listOf(sql, filters)
  const page = { columns: conversationColumns, read: conversationFromRow }
  if (list === undefined)
    return yield* selectPage(sql, request, {
      ...page,
      tables: "conversations AS c",
      where: [sql`c.organization_id = ${organization}`, ...conditions],
      tests: found.tests,
      id: "c.id"
    })
  const tested = [...conditions, ...(found.tests?.where ?? [])]
  const isComplete = tested.length === (participantId === undefined ? 1 : 0)
  return yield* selectPage(sql, request, {
    ...page,
    tables: list.table,
    joins: conversations,
    where: [sql`l.organization_id = ${organization}`, list.matches],
    tests: isComplete ? undefined : { joins: conversations, where: tested },
    id: "l.conversation_id"
  })
})
