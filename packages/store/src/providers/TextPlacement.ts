import type { SqlClient } from "@effect/sql"
import { endedStatuses } from "@switchboard/domain/conversations/Conversation"
import type { Channel, ConversationId, MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { ConversationEventType } from "@switchboard/services/conversations/ConversationRepo"
import { newConversation } from "@switchboard/services/conversations/Conversations"
import { DateTime, Effect, Option } from "effect"
import { insertConversation, labelOf } from "../conversations/InsertConversation.js"
import { joinConversation } from "../conversations/JoinConversation.js"

/**
 * The texts and calls of a phone are stored one after another: two of them start one conversation, and parts are joined
 * once.
 */
export const lockPhone = (sql: SqlClient.SqlClient, organization: OrganizationId, phone: string) =>
  sql`SELECT pg_advisory_xact_lock(hashtextextended(${`texts of ${phone} to ${organization}`}, 0))`

/** A received text, or a call, whose place is searched. */
export interface PlacedText {
  readonly organizationId: OrganizationId
  readonly channel: Channel
  /** The participant that sent it; the other party of a call. */
  readonly from: ParticipantId
  /** The number that received it. */
  readonly number: string
  readonly receivedAt: DateTime.Utc
  /** The title of a conversation that it starts. Default: none. */
  readonly title?: string
}

/** The message that a received text answers. */
export interface TextParent {
  readonly id: MessageId
  readonly conversationId: ConversationId | null
  readonly isTest: boolean
  readonly from: ParticipantId
  readonly to: ReadonlyArray<ParticipantId>
  readonly createdAt: Date
}

/** The conversation of a received text. */
export interface TextPlacement {
  readonly conversationId: ConversationId
  /** Whether the text, or its parent, starts the conversation. */
  readonly isNew: boolean
  readonly events: ReadonlyArray<ConversationEventType>
}

const parentColumns = `m.id, m.conversation_id AS "conversationId", m.is_test AS "isTest",
  m.from_participant_id AS "from", m.to_participant_ids AS "to", m.created_at AS "createdAt"`

/** The latest messages of a participant among which its parent is. */
const maxSearched = 200

/**
 * The newest message to the participant, of those from the same number if there are any. It is locked: no other
 * transaction can start a conversation with it.
 */
export const findTextParent = (sql: SqlClient.SqlClient, { channel, from, number, organizationId }: PlacedText) =>
  Effect.map(
    sql<TextParent>`SELECT ${sql.literal(parentColumns)} FROM messages AS m WHERE m.organization_id = ${organizationId} AND m.id = (
        SELECT o.id FROM (
          SELECT message_id FROM message_participants
          WHERE organization_id = ${organizationId} AND participant_id = ${from}
          ORDER BY message_id DESC LIMIT ${maxSearched}
        ) AS p CROSS JOIN LATERAL (
          SELECT id, content ->> 'from' AS sender FROM messages
          WHERE organization_id = ${organizationId} AND id = p.message_id AND channel = ${channel}
            AND direction = 'outbound' AND ${from}::uuid = ANY (to_participant_ids) LIMIT 1
        ) AS o JOIN message_states AS s ON s.organization_id = ${organizationId} AND s.message_id = o.id
        WHERE s.status <> 'scheduled' ORDER BY o.sender = ${number} DESC, o.id DESC LIMIT 1
      ) FOR UPDATE`,
    ([row]) => Option.fromNullable(row)
  )

interface FoundConversation {
  readonly id: ConversationId
}

/** The sent message with a provider's id that a participant answers, locked. */
export const findAnswered = (
  sql: SqlClient.SqlClient,
  { channel, from, organizationId }: PlacedText,
  providerMessageId: string
) =>
  Effect.map(
    sql<TextParent>`SELECT ${sql.literal(parentColumns)} FROM provider_messages AS p
        JOIN messages AS m ON m.organization_id = p.organization_id AND m.id = p.message_id
      WHERE p.channel = ${channel} AND p.provider_message_id = ${providerMessageId}
        AND p.organization_id = ${organizationId} AND m.direction = 'outbound'
        AND ${from}::uuid = ANY (m.to_participant_ids) FOR UPDATE OF m`,
    ([row]) => Option.fromNullable(row)
  )

/** The conversation of the parent, locked. None if it has ended, or if only other recipients are in it. */
const conversationOf = (sql: SqlClient.SqlClient, { from, organizationId }: PlacedText, parent: TextParent) =>
  Effect.map(
    sql<FoundConversation>`SELECT id FROM conversations AS c
      WHERE c.organization_id = ${organizationId} AND c.id = ${parent.conversationId}
        AND c.status NOT IN ${sql.in(endedStatuses)} AND EXISTS (
        SELECT FROM conversation_participants AS p WHERE p.organization_id = c.organization_id
          AND p.conversation_id = c.id AND p.participant_id = ${from}
      ) FOR NO KEY UPDATE OF c`,
    ([row]) => Option.fromNullable(row)
  )

/** The newest open conversation of the participant with the channel, locked. */
const openConversation = (sql: SqlClient.SqlClient, { channel, from, organizationId }: PlacedText) =>
  Effect.map(
    sql<FoundConversation>`SELECT c.id FROM conversation_participants AS p
        JOIN conversations AS c ON c.organization_id = p.organization_id AND c.id = p.conversation_id
      WHERE p.organization_id = ${organizationId} AND p.participant_id = ${from}
        AND c.status NOT IN ${sql.in(endedStatuses)} AND ${channel} = ANY (c.channels)
      ORDER BY p.conversation_id DESC LIMIT 1 FOR NO KEY UPDATE OF c`,
    ([row]) => Option.fromNullable(row)
  )

/** Adds the channel, and makes a conversation active that waits. */
const continueConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { channel, organizationId }: PlacedText,
  { id }: FoundConversation
) {
  const changed = yield* sql`UPDATE conversations SET status = 'active', updated_at = now(),
      status_reason = CASE WHEN status = 'active' THEN status_reason END,
      channels = CASE WHEN ${channel} = ANY (channels) THEN channels ELSE channels || ${channel}::text END
    WHERE organization_id = ${organizationId} AND id = ${id}
      AND (status <> 'active' OR NOT ${channel} = ANY (channels)) RETURNING 1`
  if (changed.length > 0) {
    yield* sql`INSERT INTO conversation_labels (organization_id, label, conversation_id)
      VALUES (${organizationId}, ${labelOf("channel", channel)}, ${id}) ON CONFLICT DO NOTHING`
  }
  const events = changed.length > 0 ? (["conversation.updated"] as const) : []
  return { conversationId: id, isNew: false, events } satisfies TextPlacement
})

const startConversation = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { channel, organizationId, title }: PlacedText,
  isTest: boolean,
  startedAt: DateTime.Utc
) {
  const conversation = yield* newConversation(organizationId, { title, channels: [channel], isTest, startedAt })
  yield* insertConversation(sql, conversation)
  return { conversationId: conversation.id, isNew: true, events: ["conversation.created"] } satisfies TextPlacement
})

/**
 * The conversation of a received text: that of its parent, or the open one of the participant, or a new one. A parent
 * without a conversation joins it, unless it has other recipients: each of them has an own conversation. Requires a
 * transaction.
 */
export const placeText = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  text: PlacedText,
  parent: Option.Option<TextParent>
) {
  const { organizationId } = text
  const ofParent = Option.isNone(parent) ? Option.none() : yield* conversationOf(sql, text, parent.value)
  const found = Option.isSome(ofParent) ? ofParent : yield* openConversation(sql, text)
  const joining = Option.filter(parent, ({ conversationId, to }) => conversationId === null && to.length === 1)
  const placement: TextPlacement = Option.isSome(found)
    ? yield* continueConversation(sql, text, found.value)
    : yield* startConversation(
        sql,
        text,
        Option.exists(parent, ({ isTest }) => isTest),
        Option.match(joining, {
          onNone: () => text.receivedAt,
          onSome: ({ createdAt }) => DateTime.unsafeFromDate(createdAt)
        })
      )
  if (Option.isSome(joining)) {
    const { from, id, to } = joining.value
    yield* sql`UPDATE messages SET conversation_id = ${placement.conversationId}
      WHERE organization_id = ${organizationId} AND id = ${id}`
    yield* joinConversation(sql, organizationId, placement.conversationId, [from, ...to])
  }
  return placement
})
