import { SqlClient } from "@effect/sql"
import { untracked } from "@switchboard/domain/email/tracking/Tracking"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { type NewReceivedMessage, ReceivedMessageRepo } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { Effect, Layer, Option } from "effect"
import { beginConversation } from "../../conversations/BeginConversation.js"
import { insertConversationEvents } from "../../conversations/InsertConversationEvents.js"
import { joinConversation } from "../../conversations/JoinConversation.js"
import { reopenConversation } from "../../conversations/ReopenConversation.js"
import { orUnavailable, retryConflicts } from "../../database/Unavailable.js"
import { factColumns, factRecord, factRecordColumns } from "../../messages/MessageRows.js"
import { insertReceivedFiles, receivedFiles } from "../../messages/ReceivedFiles.js"
import { eventColumns, messageEvent, stateRecord, stateRecordColumns } from "../../messages/StateRows.js"
import { countInserted } from "../../organizations/OrganizationCounts.js"
import { findParent } from "../threads/FindParent.js"
import { beginThread, joinThread, type MessagePlacement } from "../threads/JoinThread.js"
import { addChanges, countThreads, noChange } from "../threads/ThreadCounts.js"
import { mailParticipants } from "./MailParticipants.js"

/** The conversation, parent and participants of a received message. */
interface ReceivedFindings {
  readonly place: MessagePlacement
  readonly parentMessageId: MessageId | null
  readonly from: ParticipantId
  readonly to: ReadonlyArray<ParticipantId>
  readonly currency: string
  readonly isTest: boolean
}

/**
 * Inserts the row that marks the message as received. Returns false if another worker did so: the second one waits here
 * until the first commits.
 */
const claimReceived = (sql: SqlClient.SqlClient, message: NewReceivedMessage) =>
  Effect.map(
    sql`INSERT INTO inbound_messages (organization_id, message_id, rfc_message_id, in_reply_to, refers_to, headers,
        size, authentication)
      VALUES (${message.facts.organizationId}, ${message.facts.id}, ${message.rfcMessageId}, ${message.inReplyTo}::text[],
        ${message.references}::text[], ${JSON.stringify(message.headers)}::json, ${message.size},
        ${JSON.stringify(message.authentication)}::json)
      ON CONFLICT DO NOTHING RETURNING 1`,
    (rows) => rows.length > 0
  )

const statement = /* sql */ `
WITH new_messages AS MATERIALIZED (
  SELECT * FROM json_to_record($1::json) AS g(from_participant_id uuid, to_participant_ids uuid[],
    ${factRecordColumns}, attachments json, ${stateRecordColumns})
), stored AS (
  INSERT INTO messages (from_participant_id, to_participant_ids, ${factColumns})
  SELECT from_participant_id, to_participant_ids, ${factColumns} FROM new_messages
), states AS (
  INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, delivered_at,
    retry_count, max_retries, delivery_attempts, updated_at)
  SELECT organization_id, id, status, status_history, deliveries, delivered_at, retry_count, state_max_retries,
    delivery_attempts, updated_at FROM new_messages
), links AS (
  INSERT INTO message_participants (organization_id, participant_id, message_id, thread_id)
  SELECT DISTINCT g.organization_id, p.id, g.id, g.thread_id
  FROM new_messages AS g CROSS JOIN LATERAL unnest(g.from_participant_id || g.to_participant_ids) AS p(id)
)
${insertReceivedFiles}`

/** Stores a received message. Requires the transaction of `claimReceived`. */
const insertReceived = (
  sql: SqlClient.SqlClient,
  { addressing, attachments, facts, state }: NewReceivedMessage,
  { currency, from, isTest, parentMessageId, place, to }: ReceivedFindings
) =>
  sql.unsafe(statement, [
    JSON.stringify({
      from_participant_id: from,
      to_participant_ids: to,
      ...factRecord({
        facts: {
          ...facts,
          conversationId: place.conversationId,
          threadId: place.threadId,
          parentMessageId,
          currency,
          isTest
        },
        addressing,
        attachments,
        ...untracked,
        traceParent: null
      }),
      attachments: receivedFiles(attachments),
      ...stateRecord(state)
    })
  ])

/** A mail without a parent starts a conversation. */
const startConversation = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { facts }: NewReceivedMessage) {
  const { content, createdAt, organizationId } = facts
  const conversationId = yield* beginConversation(sql, {
    organizationId,
    title: content.subject,
    isTest: false,
    startedAt: createdAt
  })
  const { id: threadId, threads } = yield* beginThread(sql, organizationId, conversationId, content.subject)
  return { threadId, conversationId, isNew: true, threads } satisfies MessagePlacement
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
  const { created, from, to } = yield* mailParticipants(sql, message)
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
  const joined = yield* joinConversation(sql, organizationId, place.conversationId, [from, ...to])
  // An automated reply does not reopen a conversation.
  const reopened =
    place.isNew || isAutomated ? Option.none() : yield* reopenConversation(sql, organizationId, place.conversationId)
  yield* keepUnread(sql, message, place)
  const events = message.state.statusHistory.map((entry) => messageEvent(organizationId, id, "message.received", entry))
  yield* sql`INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
    SELECT organization_id, id, type, subject_id, data, created_at
    FROM json_to_recordset(${JSON.stringify(events)}::json) AS e(${sql.literal(eventColumns)})`
  yield* insertConversationEvents(sql, organizationId, place.conversationId, [
    ...(place.isNew ? (["conversation.created"] as const) : []),
    ...(Option.isSome(reopened) ? (["conversation.reopened"] as const) : []),
    ...(!place.isNew && joined > 0 ? (["conversation.participant_added"] as const) : [])
  ])
  yield* countInserted(sql, organizationId, { messages: 1, participants: created, conversations: place.isNew ? 1 : 0 })
  yield* countThreads(
    sql,
    organizationId,
    addChanges(
      place.threads,
      Option.getOrElse(reopened, () => noChange)
    )
  )
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
