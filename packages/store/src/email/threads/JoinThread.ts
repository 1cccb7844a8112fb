import type { SqlClient } from "@effect/sql"
import type { ConversationStatus } from "@switchboard/domain/conversations/Conversation"
import { ThreadId, threadStatus } from "@switchboard/domain/email/threads/Thread"
import type { ConversationId, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect, Option } from "effect"
import { beginConversation } from "../../conversations/BeginConversation.js"
import { joinConversation } from "../../conversations/JoinConversation.js"
import type { ThreadChange } from "./ThreadCounts.js"

/** The parent of a reply, locked: no other transaction can start a thread with it. */
export interface ParentMessage {
  readonly id: MessageId
  readonly thread_id: ThreadId | null
  readonly conversation_id: ConversationId | null
  readonly subject: string
  readonly is_test: boolean
  readonly from_participant_id: ParticipantId
  readonly to_participant_ids: ReadonlyArray<ParticipantId>
  readonly created_at: Date
}

/** The thread and conversation of a message. */
export interface MessagePlacement {
  readonly threadId: ThreadId
  readonly conversationId: ConversationId
  /** Whether the message starts the conversation. */
  readonly isNew: boolean
  /** The change of the numbers of threads. */
  readonly threads: ThreadChange
}

/** Locks a message as the parent of a reply. None if the organization has no such message. */
export const lockParent = (sql: SqlClient.SqlClient, organization: OrganizationId, id: MessageId) =>
  Effect.map(
    sql<ParentMessage>`SELECT m.id, m.thread_id, m.conversation_id, m.subject_line AS subject, m.is_test,
        m.from_participant_id, m.to_participant_ids, m.created_at
      FROM messages AS m WHERE m.organization_id = ${organization} AND m.id = ${id} FOR UPDATE`,
    ([row]) => Option.fromNullable(row)
  )

/** Creates a thread in a conversation, whose status it has. Requires a transaction. */
export const beginThread = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  conversation: ConversationId,
  subject: string
) {
  // The lock makes this transaction and one that changes the status wait for each other.
  const [found] = yield* sql<{ status: ConversationStatus }>`SELECT status FROM conversations
    WHERE organization_id = ${organization} AND id = ${conversation} FOR NO KEY UPDATE`
  const status = threadStatus(found?.status ?? "active")
  const { id, now } = yield* newId(ThreadId)
  yield* sql`INSERT INTO threads ${sql.insert({
    organization_id: organization,
    id,
    conversation_id: conversation,
    subject,
    status,
    created_at: DateTime.toDateUtc(now),
    updated_at: DateTime.toDateUtc(now)
  })}`
  return { id, threads: { [status]: 1 } }
})

/**
 * The thread of a parent message. A parent without one starts it, in its conversation or in a new one. Requires the
 * transaction that locked the parent.
 */
export const joinThread = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organizationId: OrganizationId,
  parent: ParentMessage
) {
  const {
    conversation_id: existing,
    from_participant_id: from,
    subject,
    thread_id: thread,
    to_participant_ids: to
  } = parent
  if (thread !== null && existing !== null) {
    return { threadId: thread, conversationId: existing, isNew: false, threads: {} } satisfies MessagePlacement
  }
  const conversationId =
    existing ??
    (yield* beginConversation(sql, {
      organizationId,
      title: subject,
      isTest: parent.is_test,
      startedAt: DateTime.unsafeFromDate(parent.created_at)
    }))
  const { id: threadId, threads } = yield* beginThread(sql, organizationId, conversationId, subject)
  yield* sql`WITH listed AS (
      UPDATE message_participants SET thread_id = ${threadId} WHERE organization_id = ${organizationId}
        AND participant_id = ANY (${[from, ...to]}::uuid[]) AND message_id = ${parent.id}
    )
    UPDATE messages SET thread_id = ${threadId}, conversation_id = ${conversationId}
    WHERE organization_id = ${organizationId} AND id = ${parent.id}`
  if (existing === null) yield* joinConversation(sql, organizationId, conversationId, [from, ...to])
  return { threadId, conversationId, isNew: existing === null, threads } satisfies MessagePlacement
})
