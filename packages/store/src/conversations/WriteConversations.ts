import type { SqlClient } from "@effect/sql"
import type { Conversation } from "@switchboard/domain/conversations/Conversation"
import { ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { ChangedConversation } from "@switchboard/services/conversations/ConversationRepo"
import { Array, Effect, Option } from "effect"
import { conversationSettings, insertConversation } from "./InsertConversation.js"
import { joinConversation } from "./JoinConversation.js"
import { tellConversation } from "./TellConversation.js"

/** All of these are participants of the organization, and stay so until the transaction ends. */
export const checkParticipants = Effect.fnUntraced(function* (
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
 * The parent exists, and nothing above it is the conversation itself. Each step is locked: of two who put one below the
 * other at the same time, one goes first.
 */
const checkParent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, organizationId, parentConversationId }: Conversation
) {
  let above: ConversationId | null = parentConversationId ?? null
  while (above !== null) {
    if (above === id) {
      return yield* new ValidationError({
        message: "The request body is invalid",
        fields: { parentConversationId: ["must be neither the conversation itself nor one below it"] }
      })
    }
    const rows: ReadonlyArray<{ readonly parent: ConversationId | null }> = yield* sql<{
      parent: ConversationId | null
    }>`SELECT parent_conversation_id AS parent FROM conversations
      WHERE organization_id = ${organizationId} AND id = ${above} FOR SHARE`
    const [found] = rows
    if (found === undefined) return yield* new ResourceNotFoundError({ resource: "conversation", id: above })
    above = found.parent
  }
})

/** Stores a conversation with its participants, and tells of it. To be run in a transaction. */
export const storeConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { conversation, news }: ChangedConversation,
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
  yield* tellConversation(sql, organizationId, id, news)
})

/** Stores what becomes of a conversation that is locked, and tells of it. To be run in a transaction. */
export const changeConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  before: Conversation,
  { conversation, news }: ChangedConversation
) {
  if (!Array.isNonEmptyReadonlyArray(news)) return
  const { id, organizationId, parentConversationId: parent } = conversation
  if (parent !== undefined && parent !== before.parentConversationId) yield* checkParent(sql, conversation)
  yield* sql`UPDATE conversations SET ${sql.update(conversationSettings(conversation))}
    WHERE organization_id = ${organizationId} AND id = ${id}`
  yield* tellConversation(sql, organizationId, id, news)
})

/** Locks a conversation of the organization; whether there is one. */
export const lockConversation = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ConversationId) =>
  Effect.map(
    sql`SELECT 1 FROM conversations WHERE organization_id = ${organization} AND id = ${id} FOR NO KEY UPDATE`,
    (rows) => (rows.length === 0 ? Option.none() : Option.some(id))
  )
