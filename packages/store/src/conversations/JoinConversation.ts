import type { SqlClient } from "@effect/sql"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Effect } from "effect"

/** Adds participants to a conversation. Returns how many were added. */
export const joinConversation = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  conversation: ConversationId,
  participants: ReadonlyArray<ParticipantId>
) =>
  Effect.map(
    sql`INSERT INTO conversation_participants (organization_id, conversation_id, participant_id, joined_at)
      SELECT p.organization_id, ${conversation}::uuid, p.id, now() FROM participants AS p
      WHERE p.organization_id = ${organization} AND p.id = ANY (${participants}::uuid[])
      ORDER BY p.id ON CONFLICT DO NOTHING RETURNING 1`,
    (rows) => rows.length
  )
