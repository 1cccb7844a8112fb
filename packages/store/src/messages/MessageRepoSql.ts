import { SqlClient } from "@effect/sql"
import type { ConflictError, PaymentRequiredError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { ThreadId } from "@switchboard/domain/email/threads/Thread"
import { EventId } from "@switchboard/domain/events/EventType"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import { isUnsuccessful } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  type Accepted,
  type CompleteMessage,
  MessageRepo,
  type NewMessage
} from "@switchboard/services/messages/MessageRepo"
import { newId } from "@switchboard/services/NewId"
import { DateTime, Effect, Layer, Number, Option, Predicate } from "effect"
import { groupCommit } from "../database/GroupCommit.js"
import { lookUpTogether } from "../database/LookUpTogether.js"
import { prepared } from "../database/Prepared.js"
import { forRequest, retryConflicts } from "../database/Unavailable.js"
import { addSuppressions } from "../email/blocks/SuppressRecipients.js"
import { eraseReceivedParts } from "../email/receiving/EraseReceived.js"
import { findReferenced } from "../email/threads/FindParent.js"
import { countThreads, deleteEmptyThread, lockThread } from "../email/threads/ThreadCounts.js"
import { readAttachments } from "./AttachmentRows.js"
import { acceptMessages, acceptReply, type Reply } from "./accept/AcceptMessages.js"
import { findRecentFirst, findReplays, type Repetition } from "./accept/FindReplays.js"
import { deleteEntry, deleteEntryParts, moveEntry } from "./DeleteEntry.js"
import { encodedFromRow, type MessageRow, messageColumns, messageFromRow } from "./MessageJson.js"
import { allMessages, listMessages, pagesTogether } from "./MessageLists.js"
import { messageTables, selectMessage } from "./MessageRows.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

interface CompleteRow extends MessageRow {
  readonly direction: "outbound" | "inbound"
  readonly attachment_count: number
  readonly track_opens: boolean
  readonly track_clicks: boolean
}

/** Finds an organization's message with the contents of its attachments. */
const selectComplete = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  id: MessageId
) {
  const [row] = yield* sql<CompleteRow>`SELECT ${sql.literal(messageColumns)},
      m.direction, m.attachment_count, m.track_opens, m.track_clicks
    FROM ${sql.literal(messageTables)} WHERE m.organization_id = ${organization} AND m.id = ${id}`
  if (row === undefined) return Option.none<CompleteMessage>()
  const hasFiles = row.direction === "outbound" && row.attachment_count > 0
  const files = yield* readAttachments(sql, hasFiles ? [{ organization_id: organization, message_id: id }] : [])
  return Option.some<CompleteMessage>({
    message: messageFromRow(row),
    attachments: files.get(id) ?? [],
    trackOpens: row.track_opens,
    trackClicks: row.track_clicks
  })
})

/** The key of a message that a caller requests. */
interface MessageRequest {
  readonly organization: OrganizationId
  readonly id: MessageId
}

const findStatement = prepared(
  "find_messages",
  /* sql */ `
SELECT ${messageColumns}
FROM unnest($1::uuid[], $2::uuid[]) AS w(organization_id, id)
  JOIN (${messageTables}) ON m.organization_id = w.organization_id AND m.id = w.id`
)

const keyOf = (organization: OrganizationId, id: MessageId) => `${organization} ${id}`

/**
 * Finds the messages of a batch of callers with one statement, in order. Each caller's organization restricts its
 * lookup.
 */
const findMessages = (sql: SqlClient.SqlClient) => (batch: ReadonlyArray<MessageRequest>) =>
  Effect.map(
    sql.unsafe<MessageRow>(findStatement, [batch.map(({ organization }) => organization), batch.map(({ id }) => id)]),
    (rows) => {
      const found = new Map(rows.map((row) => [keyOf(row.organization_id, row.id), row]))
      return batch.map(({ id, organization }) => Option.fromNullable(found.get(keyOf(organization, id))))
    }
  )

/** Sends that share a transaction. */
const maxAcceptBatch = 200

/** Repetitions that are found with one statement. */
const maxFindBatch = 50

type Refusal = ConflictError | PaymentRequiredError | ServiceUnavailableError

/** The size of a message's attachments, in octets. */
const octetsOf = ({ attachments }: NewMessage) => Number.sumAll(attachments.map(({ content }) => content.byteLength))

/**
 * Deletes a message but keeps its idempotency record, its usage, its events and the facts that they are counted by. The
 * new event has no content, only the fields by which webhook endpoints filter.
 */
const removeStatement = /* sql */ `
WITH removed AS (
  DELETE FROM messages WHERE organization_id = $1 AND id = $2
  RETURNING *
), states AS (
  DELETE FROM message_states WHERE organization_id = $1 AND message_id = $2 RETURNING status, sent_at
), facts AS (
  INSERT INTO deleted_messages (organization_id, id, channel, direction, cost, created_at, conversation_id,
    from_participant_id, to_participant_ids, was_sent, last_status)
  SELECT $1, r.id, r.channel, r.direction, r.cost, r.created_at, r.conversation_id, r.from_participant_id,
    r.to_participant_ids, s.sent_at IS NOT NULL, s.status
  FROM removed AS r LEFT JOIN states AS s ON true
), participants AS (
  DELETE FROM message_participants AS p USING removed AS r, (
    SELECT unnest(from_participant_id || to_participant_ids) AS id FROM messages WHERE organization_id = $1 AND id = $2
  ) AS parties WHERE p.organization_id = $1 AND p.message_id = r.id AND p.participant_id = parties.id
), tags AS (
  DELETE FROM message_tags AS t USING removed AS r
  WHERE t.organization_id = $1 AND t.tag = ANY (r.tags) AND t.message_id = r.id
), attachments AS (
  DELETE FROM message_attachments WHERE organization_id = $1 AND message_id = $2
), ${deleteEntryParts}, ${eraseReceivedParts}, counted AS (
  UPDATE organization_usage SET messages_kept = messages_kept - 1
  WHERE organization_id = $1 AND EXISTS (SELECT 1 FROM removed)
), written_events AS (
  INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
  SELECT $1, $3::uuid, 'message.deleted', r.id, json_build_object('id', r.id, 'channel', r.channel, 'tags', r.tags,
    'isTest', r.is_test, 'externalId', r.external_id, 'referenceId', r.reference_id, 'deletedAt', $4::text), $4::timestamptz
  FROM removed AS r
)
SELECT`

/** Messages in the tables `messages`, `message_states` and related tables. */
export const MessageRepoSql = Layer.scoped(
  MessageRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const find = yield* lookUpTogether(findMessages(sql))
    const listAll = yield* pagesTogether(sql, allMessages)
    const findReplay = yield* groupCommit<Repetition, Option.Option<Message>, ConflictError>(findReplays(sql), {
      maxBatch: maxFindBatch,
      resultsFirst: true
    })

    const accept = acceptMessages(sql, findReplay)
    const acceptTogether = groupCommit<NewMessage, Accepted, Refusal>(accept, { maxBatch: maxAcceptBatch, octetsOf })
    const acceptPlain = yield* acceptTogether
    // Sends in a conversation take more statements; other sends do not wait for them.
    const acceptInConversation = yield* acceptTogether
    // Each reply locks its parent and has its own transaction. Group commit here only extends the deadline by the size.
    const acceptOne = acceptReply(sql, accept)
    const acceptFirst = yield* groupCommit<Reply, Option.Option<Accepted>, Refusal>(
      (replies) => Effect.all(replies.map((reply) => Effect.either(acceptOne(reply)))),
      { maxBatch: 1, octetsOf: ({ message }) => octetsOf(message) }
    )

    const change = <E>(
      organization: OrganizationId,
      id: MessageId,
      decide: (state: MessageState) => Effect.Effect<MessageState, E>
    ) =>
      Effect.gen(function* () {
        const [row] = yield* sql<StateRow>`SELECT ${sql.literal(stateColumns)} FROM message_states AS s
          WHERE s.organization_id = ${organization} AND s.message_id = ${id} FOR UPDATE`
        if (row === undefined) return Option.none()
        const before = stateFromRow(row)
        const after = yield* decide(before)
        if (after !== before) {
          const changes = [{ organizationId: organization, messageId: id, before, after }]
          yield* writeStates(sql, changes)
          yield* addSuppressions(sql, changes)
        }
        if (isUnsuccessful(after.status)) yield* deleteEntry(sql, organization, id)
        return yield* selectMessage(sql, organization, id)
      }).pipe(sql.withTransaction, retryConflicts, forRequest)

    return {
      accept: findRecentFirst(
        (message) => (message.facts.conversationId === null ? acceptPlain : acceptInConversation)(message),
        findReplay
      ),
      acceptReply: (message, answered) => acceptFirst({ message, parent: answered }),
      findReplay: (organization, identity) => findReplay({ organization, identity }),
      find: (organization, id) => Effect.map(find({ organization, id }), Option.map(messageFromRow)),
      findEncoded: (organization, id) => Effect.map(find({ organization, id }), Option.map(encodedFromRow)),
      findParent: (organization, hints) => forRequest(findReferenced(sql, organization, hints)),
      findComplete: (organization, id) => forRequest(selectComplete(sql, organization, id)),
      list: (organization, filter, request) =>
        Object.values(filter).every(Predicate.isUndefined)
          ? Effect.map(listAll(organization, organization, request), ({ page }) => page)
          : forRequest(listMessages(sql, organization, filter, request)),
      change,
      reschedule: (organization, id, scheduledAt) =>
        Effect.gen(function* () {
          const [state] = yield* sql<Pick<StateRow, "status">>`SELECT status FROM message_states
            WHERE organization_id = ${organization} AND message_id = ${id} FOR UPDATE`
          if (state === undefined) return Option.none()
          if (state.status === "scheduled") yield* moveEntry(sql, organization, id, scheduledAt)
          return yield* selectMessage(sql, organization, id)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      remove: (organization, id) =>
        Effect.gen(function* () {
          const { id: eventId, now } = yield* newId(EventId)
          const [found] = yield* sql<{ thread_id: ThreadId | null }>`SELECT thread_id FROM messages
            WHERE organization_id = ${organization} AND id = ${id} FOR UPDATE`
          if (found === undefined) return false
          const thread = found.thread_id
          if (thread !== null) yield* lockThread(sql, organization, thread)
          yield* sql.unsafe(removeStatement, [organization, id, eventId, DateTime.formatIso(now)])
          if (thread !== null)
            yield* countThreads(sql, organization, yield* deleteEmptyThread(sql, organization, thread))
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
