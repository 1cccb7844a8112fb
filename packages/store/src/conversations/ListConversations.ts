import type { SqlClient } from "@effect/sql"
import type { ConversationFilters } from "@switchboard/domain/conversations/ConversationRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import { filtered, filterOn, type Source, searchOn } from "../Filters.js"
import { selectPage } from "../Lists.js"
import { conversationColumns, conversationFromRow } from "./ConversationRows.js"
import { labelOf } from "./InsertConversation.js"

const conversations: Source = { table: "conversations", alias: "c", id: "id" }
const participants: Source = { table: "conversation_participants", alias: "p", id: "conversation_id" }
const tags: Source = { table: "conversation_labels", alias: "t", id: "conversation_id" }
const channels: Source = { ...tags, alias: "l" }

/** A page of an organization's conversations, newest first. */
export const listConversations = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { channel, participantId, priority, search, status, tag }: ConversationFilters,
  request: PageRequest
) =>
  selectPage(sql, request, {
    ...filtered(sql, organization, {
      all: conversations,
      ordered: [
        ...filterOn(participants, participantId, (value) => sql`p.participant_id = ${value}`),
        ...filterOn(tags, tag, (value) => sql`t.label = ${labelOf("tag", value)}`),
        ...filterOn(conversations, priority, (value) => sql`c.priority = ${value}`),
        ...filterOn(channels, channel, (value) => sql`l.label = ${labelOf("channel", value)}`),
        ...filterOn(conversations, status, (value) => sql`c.status = ${value}`)
      ],
      tests: searchOn(sql, conversations, search, ["c.title", "c.description"]),
      rows: [conversations]
    }),
    columns: conversationColumns,
    read: conversationFromRow
  })
