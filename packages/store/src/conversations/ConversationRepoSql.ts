import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { type ConversationEventType, ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { Effect, Layer, Option } from "effect"
import { forRequest, retryConflicts } from "../database/Unavailable.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { selectConversation } from "./ConversationRows.js"
import { insertConversationEvents } from "./InsertConversationEvents.js"
import { joinConversation } from "./JoinConversation.js"
import { listConversations } from "./ListConversations.js"
import { changeConversation, checkParticipants, lockConversation, storeConversation } from "./WriteConversations.js"

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
