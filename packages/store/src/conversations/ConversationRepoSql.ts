import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import { type Conversation, endedStatuses } from "@switchboard/domain/conversations/Conversation"
import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { threadStatus } from "@switchboard/domain/email/threads/Thread"
import { addressKindOf, type ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import {
  type ChangedConversation,
  type ConversationEventType,
  ConversationRepo
} from "@switchboard/services/conversations/ConversationRepo"
import { Array, Effect, Layer, Option } from "effect"
import { forRequest, retryConflicts } from "../database/Unavailable.js"
import { countThreads, setThreadStatus } from "../email/threads/ThreadCounts.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { countInserted } from "../organizations/OrganizationCounts.js"
import { selectConversation } from "./ConversationRows.js"
import { conversationSettings, insertConversation, labelConversation } from "./InsertConversation.js"
import { insertConversationEvents } from "./InsertConversationEvents.js"
import { joinConversation } from "./JoinConversation.js"
import { listConversations } from "./ListConversations.js"

/** Fails unless all ids are participants of the organization. Locks them until the transaction ends. */
const checkParticipants = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  ids: ReadonlyArray<ParticipantId>
) {
  const rows = yield* sql<{ id: ParticipantId }>`SELECT p.id FROM participants AS p
    WHERE p.organization_id = ${organization} AND p.id = ANY (${[...ids]}::uuid[]) ORDER BY p.id FOR KEY SHARE`
  const known = new Set(rows.map(({ id }) => id))
  const unknown = ids.find((id) => !known.has(id))
  if (unknown !== undefined) return yield* new ResourceNotFoundError({ resource: "participant", id: unknown })
})

/**
 * Fails if the parent does not exist, or if the conversation is an ancestor of its own parent. Each ancestor is locked,
 * so that two concurrent changes cannot form a cycle.
 */
const checkParent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, organizationId, parentConversationId }: Conversation
) {
  let ancestor: ConversationId | null = parentConversationId ?? null
  while (ancestor !== null) {
    if (ancestor === id) {
      return yield* new ValidationError({
        message: "The request body is invalid",
        fields: { parentConversationId: ["must be neither the conversation itself nor one below it"] }
      })
    }
    const rows: ReadonlyArray<{ readonly parent: ConversationId | null }> = yield* sql<{
      parent: ConversationId | null
    }>`SELECT parent_conversation_id AS parent FROM conversations
      WHERE organization_id = ${organizationId} AND id = ${ancestor} FOR SHARE`
    const [found] = rows
    if (found === undefined) return yield* new ResourceNotFoundError({ resource: "conversation", id: ancestor })
    ancestor = found.parent
  }
})

/** Stores a conversation with its participants and events. Requires a transaction. */
const storeConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { conversation, eventTypes }: ChangedConversation,
  participants: ReadonlyArray<ParticipantId>
) {
  const { id, organizationId, parentConversationId: parent } = conversation
  if (parent !== undefined) {
    const rows = yield* sql`SELECT 1 FROM conversations WHERE organization_id = ${organizationId} AND id = ${parent}`
    if (rows.length === 0) return yield* new ResourceNotFoundError({ resource: "conversation", id: parent })
  }
  yield* checkParticipants(sql, organizationId, participants)
  yield* insertConversation(sql, conversation)
  yield* joinConversation(sql, organizationId, id, participants)
  yield* insertConversationEvents(sql, organizationId, id, eventTypes)
  yield* countInserted(sql, organizationId, { conversations: 1 })
})

/** Stores changes of a locked conversation, with their events. Requires a transaction. */
const changeConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  before: Conversation,
  { conversation, eventTypes }: ChangedConversation
) {
  if (!Array.isNonEmptyReadonlyArray(eventTypes)) return
  const { id, organizationId, parentConversationId: parent } = conversation
  if (parent !== undefined && parent !== before.parentConversationId) yield* checkParent(sql, conversation)
  yield* sql`UPDATE conversations SET ${sql.update(conversationSettings(conversation))}
    WHERE organization_id = ${organizationId} AND id = ${id}`
  yield* labelConversation(sql, conversation, before)
  yield* insertConversationEvents(sql, organizationId, id, eventTypes)
  const status = threadStatus(conversation.status)
  if (status !== threadStatus(before.status))
    yield* countThreads(sql, organizationId, yield* setThreadStatus(sql, organizationId, id, status))
})

/** Locks a conversation. Returns none if the organization has no such conversation. */
const lockConversation = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ConversationId) =>
  Effect.map(
    sql`SELECT 1 FROM conversations WHERE organization_id = ${organization} AND id = ${id} FOR NO KEY UPDATE`,
    (rows) => (rows.length === 0 ? Option.none() : Option.some(id))
  )

/** Removes participants from a conversation. Returns how many were removed. */
const leaveConversation = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  conversation: ConversationId,
  participants: ReadonlyArray<ParticipantId>
) =>
  Effect.map(
    sql`DELETE FROM conversation_participants WHERE organization_id = ${organization}
      AND conversation_id = ${conversation} AND participant_id = ANY (${[...participants]}::uuid[]) RETURNING 1`,
    (rows) => rows.length
  )

/** Conversations in the tables `conversations` and `conversation_participants`. */
export const ConversationRepoSql = Layer.effect(
  ConversationRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    /** Changes the participants of a conversation. Writes one event, and only if a participant was added or removed. */
    const changeParticipants =
      (
        event: ConversationEventType,
        change: (
          sql: SqlClient.SqlClient,
          organization: OrganizationId,
          id: ConversationId,
          participants: ReadonlyArray<ParticipantId>
        ) => Effect.Effect<number, SqlError>
      ) =>
      (organization: OrganizationId, id: ConversationId, participants: ReadonlyArray<ParticipantId>) =>
        Effect.gen(function* () {
          if (Option.isNone(yield* lockConversation(sql, organization, id))) return Option.none()
          yield* checkParticipants(sql, organization, participants)
          if ((yield* change(sql, organization, id, participants)) > 0) {
            yield* sql`UPDATE conversations SET updated_at = now() WHERE organization_id = ${organization} AND id = ${id}`
            yield* insertConversationEvents(sql, organization, id, [event])
          }
          return yield* selectConversation(sql, organization, id)
        }).pipe(sql.withTransaction, retryConflicts, forRequest)

    return {
      insert: (created, participants) =>
        Effect.gen(function* () {
          const { id, organizationId } = created.conversation
          yield* storeConversation(sql, created, participants)
          return Option.getOrElse(yield* selectConversation(sql, organizationId, id), () => created.conversation)
        }).pipe(
          sql.withTransaction,
          withCreationKey(sql, () => created.conversation.id),
          retryConflicts,
          forRequest
        ),
      exists: (organization, id) =>
        sql`SELECT 1 FROM conversations WHERE organization_id = ${organization} AND id = ${id}`.pipe(
          Effect.map((rows) => rows.length > 0),
          forRequest
        ),
      findOpen: (organization, channel, address) =>
        sql<{ id: ConversationId }>`SELECT c.id FROM participant_addresses AS a
            JOIN conversation_participants AS p
              ON p.organization_id = a.organization_id AND p.participant_id = a.participant_id
            JOIN conversations AS c ON c.organization_id = p.organization_id AND c.id = p.conversation_id
          WHERE a.organization_id = ${organization} AND a.kind = ${addressKindOf[channel]} AND a.address = ${address}
            AND c.status NOT IN ${sql.in(endedStatuses)} AND ${channel} = ANY (c.channels)
          ORDER BY p.conversation_id DESC LIMIT 1`.pipe(
          Effect.map(([row]) => Option.fromNullable(row?.id)),
          forRequest
        ),
      find: (organization, id) => forRequest(selectConversation(sql, organization, id)),
      list: (organization, filters, request) => forRequest(listConversations(sql, organization, filters, request)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          yield* lockConversation(sql, organization, id)
          const before = yield* selectConversation(sql, organization, id)
          if (Option.isNone(before)) return before
          yield* changeConversation(sql, before.value, yield* decide(before.value))
          return yield* selectConversation(sql, organization, id)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      join: changeParticipants("conversation.participant_added", joinConversation),
      leave: changeParticipants("conversation.participant_removed", leaveConversation)
    }
  })
)
