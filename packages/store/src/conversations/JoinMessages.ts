import type { SqlClient } from "@effect/sql"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Array, Effect } from "effect"
import { insertConversationEvents } from "./InsertConversationEvents.js"

/** The conversation of a message, with its sender and recipients. */
export interface PlacedMessage {
  readonly organizationId: OrganizationId
  readonly conversationId: ConversationId
  readonly participants: ReadonlyArray<ParticipantId>
}

interface Joined {
  readonly organization: OrganizationId
  readonly conversation: ConversationId
}

/** The same lock order in all transactions: no deadlock. */
const joinStatement = /* sql */ `
INSERT INTO conversation_participants (organization_id, conversation_id, participant_id, joined_at)
SELECT DISTINCT g.organization_id, g.conversation_id, p.id, now()
FROM json_to_recordset($1::json) AS g(organization_id uuid, conversation_id uuid, participants uuid[])
  JOIN participants AS p ON p.organization_id = g.organization_id AND p.id = ANY (g.participants)
ORDER BY 1, 2, 3
ON CONFLICT DO NOTHING RETURNING organization_id AS organization, conversation_id AS conversation`

/**
 * Adds senders and recipients to the conversations of their messages, and writes one event for each conversation with a
 * new participant. Requires the transaction that stores the messages.
 */
export const joinMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: ReadonlyArray<PlacedMessage>
) {
  if (messages.length === 0) return
  const joined = yield* sql.unsafe<Joined>(joinStatement, [
    JSON.stringify(
      messages.map(({ conversationId, organizationId, participants }) => ({
        organization_id: organizationId,
        conversation_id: conversationId,
        participants
      }))
    )
  ])
  const conversations = Array.dedupeWith(
    joined,
    (one, other) => one.organization === other.organization && one.conversation === other.conversation
  )
  yield* Effect.forEach(
    conversations,
    ({ conversation, organization }) =>
      insertConversationEvents(sql, organization, conversation, ["conversation.participant_added"]),
    { discard: true }
  )
})
