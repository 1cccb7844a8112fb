import type { SqlClient } from "@effect/sql"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Array, Effect } from "effect"
import { tellConversation } from "./TellConversation.js"

/** Who a message is from and to, in the conversation that it belongs to. */
export interface PlacedMessage {
  readonly organizationId: OrganizationId
  readonly conversationId: ConversationId
  readonly participants: ReadonlyArray<ParticipantId>
}

interface Joined {
  readonly organization: OrganizationId
  readonly conversation: ConversationId
}

/** In one order everywhere, so that two transactions don't wait for each other. */
const joinStatement = /* sql */ `
INSERT INTO conversation_participants (organization_id, conversation_id, participant_id, joined_at)
SELECT DISTINCT g.organization_id, g.conversation_id, p.id, now()
FROM json_to_recordset($1::json) AS g(organization_id uuid, conversation_id uuid, participants uuid[])
  JOIN participants AS p ON p.organization_id = g.organization_id AND p.id = ANY (g.participants)
ORDER BY 1, 2, 3
ON CONFLICT DO NOTHING RETURNING organization_id AS organization, conversation_id AS conversation`

/**
 * Has everyone join the conversations whose messages are from or to them, and tells of those where somebody is new. To
 * be run in the transaction that stores the messages.
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
      tellConversation(sql, organization, conversation, ["conversation.participant_added"]),
    { discard: true }
  )
})
