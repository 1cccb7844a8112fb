import { SqlClient } from "@effect/sql"
import type { SqlError } from "@effect/sql/SqlError"
import type { ConversationFilters } from "@switchboard/domain/conversations/ConversationRequests"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PageRequest, page } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { type ConversationNews, ConversationRepo } from "@switchboard/services/conversations/ConversationRepo"
import { readableRows } from "@switchboard/services/ReadableRows"
import { Effect, Layer, Option } from "effect"
import { forCaller, retryConflicts } from "../database/Unavailable.js"
import { found } from "../Search.js"
import { conversationColumns, conversationFromRow, selectConversation } from "./ConversationRows.js"
import { joinConversation } from "./JoinConversation.js"
import { tellConversation } from "./TellConversation.js"
import { changeConversation, checkParticipants, lockConversation, storeConversation } from "./WriteConversations.js"

/** A page of an organization's conversations, newest first, with the exact number of all that match. */
const listConversations = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  { channel, participantId, priority, search, status, tag }: ConversationFilters,
  request: PageRequest
) {
  const where = sql.and([
    sql`c.organization_id = ${organization}`,
    ...(status === undefined ? [] : [sql`c.status = ${status}`]),
    ...(channel === undefined ? [] : [sql`${channel} = ANY (c.channels)`]),
    ...(priority === undefined ? [] : [sql`c.priority = ${priority}`]),
    ...(tag === undefined ? [] : [sql`${tag} = ANY (c.tags)`]),
    ...(search === undefined ? [] : [found(sql, search, ["c.title", "c.description"])]),
    ...(participantId === undefined
      ? []
      : [
          sql`c.id IN (SELECT j.conversation_id FROM conversation_participants AS j
            WHERE j.organization_id = ${organization} AND j.participant_id = ${participantId})`
        ])
  ])
  // What messages say of each is asked for the page alone.
  const rows = yield* sql`SELECT ${sql.literal(conversationColumns)} FROM (
      SELECT * FROM conversations AS c WHERE ${where}
      ORDER BY c.id DESC LIMIT ${request.limit} OFFSET ${(request.page - 1) * request.limit}
    ) AS c ORDER BY c.id DESC`
  const [count] = yield* sql<{ total: number }>`SELECT count(*)::float8 AS total
    FROM conversations AS c WHERE ${where}`
  return page(yield* readableRows(rows, conversationFromRow), count?.total ?? 0, request)
})

/** Participants are no part of a conversation any more; how many of them were. */
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

    /** Who takes part changes: told once, and only if anybody came or went. */
    const move =
      (
        news: ConversationNews,
        how: (
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
          if ((yield* how(sql, organization, id, participants)) > 0) {
            yield* sql`UPDATE conversations SET updated_at = now() WHERE organization_id = ${organization} AND id = ${id}`
            yield* tellConversation(sql, organization, id, [news])
          }
          return yield* selectConversation(sql, organization, id)
        }).pipe(sql.withTransaction, retryConflicts, forCaller)

    return {
      insert: (made, participants) =>
        Effect.gen(function* () {
          const { id, organizationId } = made.conversation
          yield* storeConversation(sql, made, participants)
          return Option.getOrElse(yield* selectConversation(sql, organizationId, id), () => made.conversation)
        }).pipe(sql.withTransaction, retryConflicts, forCaller),
      exists: (organization, id) =>
        sql`SELECT 1 FROM conversations WHERE organization_id = ${organization} AND id = ${id}`.pipe(
          Effect.map((rows) => rows.length > 0),
          forCaller
        ),
      find: (organization, id) => forCaller(selectConversation(sql, organization, id)),
      list: (organization, filters, request) => forCaller(listConversations(sql, organization, filters, request)),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          yield* lockConversation(sql, organization, id)
          const before = yield* selectConversation(sql, organization, id)
          if (Option.isNone(before)) return before
          yield* changeConversation(sql, before.value, yield* decide(before.value))
          return yield* selectConversation(sql, organization, id)
        }).pipe(sql.withTransaction, retryConflicts, forCaller),
      join: move("conversation.participant_added", joinConversation),
      leave: move("conversation.participant_removed", leaveConversation)
    }
  })
)
