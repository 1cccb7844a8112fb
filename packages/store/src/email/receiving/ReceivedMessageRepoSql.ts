import { SqlClient } from "@effect/sql"
import { type NewReceivedMessage, ReceivedMessageRepo } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { Effect, Layer, Option } from "effect"
import { beginConversation } from "../../conversations/BeginConversation.js"
import { insertConversationEvents } from "../../conversations/InsertConversationEvents.js"
import { joinConversation } from "../../conversations/JoinConversation.js"
import { reopenConversation } from "../../conversations/ReopenConversation.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { eventColumns, messageEvent } from "../../messages/EventRows.js"
import { findParent } from "../threads/FindParent.js"
import { beginThread, joinThread, type MessagePlacement } from "../threads/JoinThread.js"
import { claimReceived, insertReceived } from "./InsertReceived.js"
import { mailParticipants } from "./MailParticipants.js"

/** A mail without a parent starts a conversation. */
const startConversation = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { facts }: NewReceivedMessage) {
  const { content, createdAt, organizationId } = facts
  const conversationId = yield* beginConversation(sql, {
    organizationId,
    title: content.subject,
    isTest: false,
    startedAt: createdAt
  })
  const threadId = yield* beginThread(sql, organizationId, conversationId, content.subject)
  return { threadId, conversationId, isNew: true } satisfies MessagePlacement
})

/** A delayed mail that is older than the last read one is unread too. */
const keepUnread = (
  sql: SqlClient.SqlClient,
  { facts: { id, organizationId } }: NewReceivedMessage,
  { threadId }: MessagePlacement
) =>
  sql`UPDATE threads SET read_up_to = (
      SELECT m.id FROM messages AS m
      WHERE m.organization_id = ${organizationId} AND m.thread_id = ${threadId} AND m.id < ${id}
      ORDER BY m.id DESC LIMIT 1)
    WHERE organization_id = ${organizationId} AND id = ${threadId} AND read_up_to > ${id}`

const receive = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, message: NewReceivedMessage) {
  const { id, isAutomated, organizationId } = message.facts
  if (!(yield* claimReceived(sql, message))) return
  const parent = yield* findParent(sql, message)
  const place = yield* Option.match(parent, {
    onNone: () => startConversation(sql, message),
    onSome: (found) => joinThread(sql, organizationId, found)
  })
  const { from, to } = yield* mailParticipants(sql, message)
  const [organization] = yield* sql<{ currency: string }>`SELECT default_currency AS currency FROM organizations
    WHERE id = ${organizationId}`
  yield* insertReceived(sql, message, {
    place,
    parentMessageId: Option.getOrNull(Option.map(parent, (found) => found.id)),
    from,
    to,
    currency: organization?.currency ?? "USD",
    isTest: Option.exists(parent, (found) => found.is_test)
  })
  yield* keepUnread(sql, message, place)
  const joined = yield* joinConversation(sql, organizationId, place.conversationId, [from, ...to])
  // An automated reply does not reopen a conversation.
  const isReopened =
    !place.isNew && !isAutomated && (yield* reopenConversation(sql, organizationId, place.conversationId))
  const events = message.state.statusHistory.map((entry) => messageEvent(organizationId, id, "message.received", entry))
  yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
    SELECT organization_id, id, type, subject_id, data, created_at
    FROM json_to_recordset(${JSON.stringify(events)}::json) AS e(${sql.literal(eventColumns)})`
  yield* insertConversationEvents(sql, organizationId, place.conversationId, [
    ...(place.isNew ? (["conversation.created"] as const) : []),
    ...(isReopened ? (["conversation.reopened"] as const) : []),
    ...(!place.isNew && joined > 0 ? (["conversation.participant_added"] as const) : [])
  ])
  // Last, so that senders wait for this row only during the commit.
  yield* sql`UPDATE organization_usage SET messages_kept = messages_kept + 1 WHERE organization_id = ${organizationId}`
})

/** Received mail, in the tables of messages, threads and conversations. */
export const ReceivedMessageRepoSql = Layer.effect(
  ReceivedMessageRepo,
  Effect.map(SqlClient.SqlClient, (sql) => ({
    isReceived: (organization, id) =>
      sql`SELECT 1 FROM inbound_messages WHERE organization_id = ${organization} AND message_id = ${id}`.pipe(
        Effect.map((rows) => rows.length > 0),
        orUnavailable
      ),
    receive: (message) => receive(sql, message).pipe(sql.withTransaction, retryConflicts, orUnavailable)
  }))
)
