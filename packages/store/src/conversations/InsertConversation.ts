import type { SqlClient } from "@effect/sql"
import type { Conversation } from "@switchboard/domain/conversations/Conversation"
import { Array, DateTime, Effect } from "effect"

const at = (time: DateTime.Utc | undefined) => (time === undefined ? null : DateTime.toDateUtc(time))

/** The columns that can change. */
export const conversationSettings = (conversation: Conversation) => ({
  title: conversation.title ?? null,
  description: conversation.description ?? null,
  external_id: conversation.externalId ?? null,
  parent_conversation_id: conversation.parentConversationId ?? null,
  channels: [...conversation.channels],
  primary_channel: conversation.primaryChannel ?? null,
  status: conversation.status,
  status_reason: conversation.statusReason ?? null,
  priority: conversation.priority,
  urgency: conversation.urgency,
  complexity: conversation.complexity,
  metadata: conversation.metadata ?? null,
  context: conversation.context ?? null,
  tags: [...conversation.tags],
  categories: [...conversation.categories],
  is_test: conversation.isTest,
  is_internal: conversation.isInternal,
  is_private: conversation.isPrivate,
  resolved_at: at(conversation.resolvedAt),
  archived_at: at(conversation.archivedAt),
  resolved_by: conversation.resolvedBy ?? null,
  resolution_type: conversation.resolutionType ?? null,
  resolution_notes: conversation.resolutionNotes ?? null,
  updated_at: DateTime.toDateUtc(conversation.updatedAt)
})

/** The label of a channel or tag in `conversation_labels`. */
export const labelOf = (kind: "channel" | "tag", value: string) => `${kind}:${value}`

const labelsOf = ({ channels, tags }: Conversation) => [
  ...channels.map((channel) => labelOf("channel", channel)),
  ...tags.map((tag) => labelOf("tag", tag))
]

/** Stores the labels by which lists find a conversation. Requires the transaction that changes it. */
export const labelConversation = (sql: SqlClient.SqlClient, after: Conversation, before?: Conversation) => {
  const { id, organizationId } = after
  const labels = labelsOf(after)
  const removed = before === undefined ? [] : Array.difference(labelsOf(before), labels)
  return sql`WITH removed AS (
      DELETE FROM conversation_labels
      WHERE organization_id = ${organizationId} AND label = ANY (${removed}) AND conversation_id = ${id}
    )
    INSERT INTO conversation_labels (organization_id, label, conversation_id)
    SELECT DISTINCT ${organizationId}::uuid, label, ${id}::uuid FROM unnest(${labels}::text[]) AS label
    ON CONFLICT DO NOTHING`
}

/** Stores a conversation. Requires the transaction that stores its events. */
export const insertConversation = (sql: SqlClient.SqlClient, conversation: Conversation) =>
  sql`INSERT INTO conversations ${sql.insert({
    organization_id: conversation.organizationId,
    id: conversation.id,
    started_at: DateTime.toDateUtc(conversation.startedAt),
    created_by: conversation.createdBy ?? null,
    created_at: DateTime.toDateUtc(conversation.createdAt),
    ...conversationSettings(conversation)
  })}`.pipe(Effect.zipRight(labelConversation(sql, conversation)))
