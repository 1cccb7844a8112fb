import type { SqlClient } from "@effect/sql"
import type { Channel, ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { ConversationEventType } from "@switchboard/services/conversations/ConversationRepo"
import { Array, Effect } from "effect"
import { labelOf } from "./InsertConversation.js"
import { insertConversationEvents } from "./InsertConversationEvents.js"

/** The conversation of a message, with its sender and recipients. */
export interface PlacedMessage {
  readonly organizationId: OrganizationId
  readonly conversationId: ConversationId
  readonly channel: Channel
  readonly participants: ReadonlyArray<ParticipantId>
}

/** A changed conversation. */
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

/** Only conversations without a channel are locked, in the same order in all transactions. */
const addChannelsStatement = /* sql */ `
WITH used AS MATERIALIZED (
  SELECT organization_id, conversation_id, array_agg(DISTINCT channel) AS channels
  FROM json_to_recordset($1::json) AS g(organization_id uuid, conversation_id uuid, channel text)
  GROUP BY 1, 2 ORDER BY 1, 2
), locked AS MATERIALIZED (
  SELECT c.organization_id, c.id, u.channels FROM used AS u CROSS JOIN LATERAL (
    SELECT organization_id, id FROM conversations AS c
    WHERE c.organization_id = u.organization_id AND c.id = u.conversation_id AND NOT u.channels <@ c.channels
    FOR NO KEY UPDATE
  ) AS c
), changed AS (
  UPDATE conversations AS c SET updated_at = now(),
    channels = c.channels || ARRAY(SELECT one FROM unnest(l.channels) AS one WHERE one <> ALL (c.channels))
  FROM locked AS l WHERE c.organization_id = l.organization_id AND c.id = l.id
  RETURNING c.organization_id, c.id, l.channels
), labels AS (
  INSERT INTO conversation_labels (organization_id, label, conversation_id)
  SELECT organization_id, '${labelOf("channel", "")}' || one, id FROM changed CROSS JOIN LATERAL unnest(channels) AS one
  ON CONFLICT DO NOTHING
)
SELECT organization_id AS organization, id AS conversation FROM changed`

/**
 * Adds the channels, senders and recipients of messages to their conversations, and writes one event for each
 * conversation with a new channel and with a new participant. Requires the transaction that stores the messages.
 */
export const joinMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  messages: ReadonlyArray<PlacedMessage>
) {
  if (messages.length === 0) return
  const records = JSON.stringify(
    messages.map(({ channel, conversationId, organizationId, participants }) => ({
      organization_id: organizationId,
      conversation_id: conversationId,
      channel,
      participants
    }))
  )
  const joined = yield* sql.unsafe<Joined>(joinStatement, [records])
  const continued = yield* sql.unsafe<Joined>(addChannelsStatement, [records])
  const writeEvents = (changed: ReadonlyArray<Joined>, type: ConversationEventType) =>
    Effect.forEach(
      Array.dedupeWith(
        changed,
        (one, other) => one.organization === other.organization && one.conversation === other.conversation
      ),
      ({ conversation, organization }) => insertConversationEvents(sql, organization, conversation, [type]),
      { discard: true }
    )
  yield* writeEvents(continued, "conversation.updated")
  yield* writeEvents(joined, "conversation.participant_added")
})
