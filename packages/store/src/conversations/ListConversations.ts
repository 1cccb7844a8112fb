import type { SqlClient } from "@effect/sql"
import type { Fragment } from "@effect/sql/Statement"
import type { ConversationFilters } from "@switchboard/domain/conversations/ConversationRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { Effect } from "effect"
import { containsText, findsText } from "../ContainsText.js"
import { searched } from "../SearchIds.js"
import { selectPage } from "../SelectPage.js"
import { conversationColumns, conversationFromRow } from "./ConversationRows.js"
import { labelOf } from "./InsertConversation.js"

/** A table of the matches of one filter in the order of the list. */
interface Matches {
  readonly alias: string
  readonly table: string
  readonly where: Fragment
}

const searchedColumns = ["c.title", "c.description"]

/** The filters that have such tables. */
const matchesOf = (
  sql: SqlClient.SqlClient,
  { channel, participantId, tag }: ConversationFilters
): ReadonlyArray<Matches> => [
  ...(participantId === undefined
    ? []
    : [{ alias: "p", table: "conversation_participants", where: sql`p.participant_id = ${participantId}` }]),
  ...(tag === undefined
    ? []
    : [{ alias: "t", table: "conversation_labels", where: sql`t.label = ${labelOf("tag", tag)}` }]),
  ...(channel === undefined
    ? []
    : [{ alias: "l", table: "conversation_labels", where: sql`l.label = ${labelOf("channel", channel)}` }])
]

/** A page of an organization's conversations, newest first. */
export const listConversations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  filters: ConversationFilters,
  request: PageRequest
) {
  const { priority, search, status } = filters
  const found = yield* searched(
    sql,
    "c.id",
    search === undefined
      ? undefined
      : {
          select: sql`SELECT c.id FROM conversations AS c
            WHERE c.organization_id = ${organization} AND ${findsText(sql, search, searchedColumns)}`,
          tests: { where: [containsText(sql, search, searchedColumns)] }
        }
  )
  const conditions = [
    ...(status === undefined ? [] : [sql`c.status = ${status}`]),
    ...(priority === undefined ? [] : [sql`c.priority = ${priority}`]),
    ...found.where
  ]
  const page = { columns: conversationColumns, read: conversationFromRow }
  const [first, ...others] = matchesOf(sql, filters)
  if (first === undefined)
    return yield* selectPage(sql, request, {
      ...page,
      tables: "conversations AS c",
      where: [sql`c.organization_id = ${organization}`, ...conditions],
      tests: found.tests,
      id: "c.id"
    })
  const joinOf = (table: string, alias: string, id: string) =>
    `JOIN ${table} AS ${alias} ON ${alias}.organization_id = ${first.alias}.organization_id
      AND ${alias}.${id} = ${first.alias}.conversation_id`
  const conversations = joinOf("conversations", "c", "id")
  const tested = [...conditions, ...(found.tests?.where ?? [])]
  const joins = [
    ...others.map(({ alias, table }) => joinOf(table, alias, "conversation_id")),
    ...(tested.length === 0 ? [] : [conversations])
  ]
  return yield* selectPage(sql, request, {
    ...page,
    tables: `${first.table} AS ${first.alias}`,
    joins: conversations,
    where: [sql`${sql.literal(first.alias)}.organization_id = ${organization}`, first.where],
    tests:
      joins.length === 0
        ? undefined
        : {
            joins: joins.join(" "),
            where: [...others.map(({ where }) => where), ...tested],
            ids: others.map(({ alias }) => `${alias}.conversation_id`)
          },
    id: `${first.alias}.conversation_id`
  })
})
