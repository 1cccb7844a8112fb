import type { SqlClient } from "@effect/sql"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Effect } from "effect"

/** Participants are no part of a conversation any more; how many of them were. */
export const leaveConversation = (
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
