import type { SqlClient } from "@effect/sql"
import { Conversation } from "@switchboard/domain/conversations/Conversation"
import type { ConversationId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, Option, Schema } from "effect"
import { nullable } from "../RowMapping.js"

const text = nullable(Schema.String)
const time = nullable(Schema.DateTimeUtcFromDate)

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    ...Conversation.fields,
    title: text,
    description: text,
    externalId: text,
    parentConversationId: nullable(Schema.typeSchema(Conversation.fields.id)),
    primaryChannel: nullable(Conversation.fields.primaryChannel.from),
    statusReason: text,
    metadata: text,
    context: text,
    startedAt: Schema.DateTimeUtcFromDate,
    lastActivityAt: time,
    lastHumanActivityAt: time,
    resolvedAt: time,
    archivedAt: time,
    resolvedBy: text,
    createdBy: text,
    resolutionType: nullable(Conversation.fields.resolutionType.from),
    resolutionNotes: text,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

/** The messages of `conversations AS c`, by the index `messages_conversation`. */
const messagesOf = "messages AS m WHERE m.organization_id = c.organization_id AND m.conversation_id = c.id"

const lastMessageAt = (where: string) => `(SELECT m.created_at FROM ${messagesOf} ${where} ORDER BY m.id DESC LIMIT 1)`

const iso = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const tracking = `(SELECT json_build_object('participants', COALESCE(json_agg(json_strip_nulls(json_build_object(
    'id', p.id, 'name', p.name, 'joinedAt', ${iso("j.joined_at")}, 'messageCount', COALESCE(f.count, 0),
    'lastMessageAt', ${iso("f.last")})) ORDER BY j.joined_at, p.id), '[]'))::text
  FROM conversation_participants AS j
    JOIN participants AS p ON p.organization_id = j.organization_id AND p.id = j.participant_id
    LEFT JOIN (SELECT m.from_participant_id, count(*), max(m.created_at) AS last FROM ${messagesOf} GROUP BY 1) AS f
      ON f.from_participant_id = j.participant_id
  WHERE j.organization_id = c.organization_id AND j.conversation_id = c.id)`

/** Response time: from an inbound message to the next outbound one, which is the last one read in descending order. */
const metrics = `(SELECT json_strip_nulls(json_build_object('messageCount', count(*),
    'inboundCount', count(*) FILTER (WHERE direction = 'inbound'),
    'outboundCount', count(*) FILTER (WHERE direction = 'outbound'),
    'averageResponseSeconds', round(avg(extract(epoch FROM answered_at - created_at))
      FILTER (WHERE direction = 'inbound'), 3)))::text
  FROM (SELECT m.direction, m.created_at, min(m.created_at) FILTER (WHERE m.direction = 'outbound')
    OVER (ORDER BY m.id DESC ROWS UNBOUNDED PRECEDING) AS answered_at FROM ${messagesOf}) AS m)`

/**
 * The columns of `conversations AS c` for `conversationFromRow`. Message counts are computed when they are read: a
 * stored count would be a row that all messages of the conversation lock.
 */
export const conversationColumns = `c.id, c.organization_id AS "organizationId", c.title, c.description,
  c.external_id AS "externalId", c.parent_conversation_id AS "parentConversationId", c.channels,
  c.primary_channel AS "primaryChannel", c.status, c.status_reason AS "statusReason", c.priority, c.urgency,
  c.complexity, c.metadata, ${tracking} AS "participantTracking", ${metrics} AS metrics, c.context, c.tags,
  c.categories, c.is_test AS "isTest", c.is_internal AS "isInternal", c.is_private AS "isPrivate",
  c.started_at AS "startedAt", ${lastMessageAt("")} AS "lastActivityAt",
  ${lastMessageAt("AND m.direction = 'inbound' AND NOT m.is_automated")} AS "lastHumanActivityAt",
  c.resolved_at AS "resolvedAt", c.archived_at AS "archivedAt", c.resolved_by AS "resolvedBy",
  c.created_by AS "createdBy", c.resolution_type AS "resolutionType", c.resolution_notes AS "resolutionNotes",
  c.created_at AS "createdAt", c.updated_at AS "updatedAt"`

/** Decodes a conversation. */
export const conversationFromRow = (row: object): Conversation =>
  new Conversation(decode(row), { disableValidation: true })

/** Finds a conversation. Inside a transaction, it includes the transaction's own changes. */
export const selectConversation = (sql: SqlClient.SqlClient, organization: OrganizationId, id: ConversationId) =>
  Effect.map(
    sql`SELECT ${sql.literal(conversationColumns)} FROM conversations AS c
      WHERE c.organization_id = ${organization} AND c.id = ${id}`,
    ([row]) => Option.map(Option.fromNullable(row), conversationFromRow)
  )
