import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { NewReceivedMessage } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { Effect } from "effect"
import { stateRecord, stateRecordColumns } from "../../messages/StateRows.js"
import type { Place } from "../threads/JoinThread.js"

/** What was found out about a received message. */
export interface ReceivedFindings {
  readonly place: Place
  readonly parentMessageId: MessageId | null
  readonly from: ParticipantId
  readonly to: ReadonlyArray<ParticipantId>
  readonly currency: string
  readonly isTest: boolean
}

/** The claim: of two workers that have the same mail, one goes on, and the other waits to find that it is done. */
export const claimReceived = (sql: SqlClient.SqlClient, message: NewReceivedMessage) =>
  Effect.map(
    sql`INSERT INTO inbound_messages (organization_id, message_id, rfc_message_id, in_reply_to, refers_to, headers,
        size, authentication)
      VALUES (${message.facts.organizationId}, ${message.facts.id}, ${message.rfcMessageId}, ${message.inReplyTo}::text[],
        ${message.references}::text[], ${JSON.stringify(message.headers)}::json, ${message.size},
        ${JSON.stringify(message.authentication)}::json)
      ON CONFLICT DO NOTHING RETURNING 1`,
    (rows) => rows.length > 0
  )

const statement = /* sql */ `
WITH given AS MATERIALIZED (
  SELECT * FROM json_to_record($1::json) AS g(organization_id uuid, id uuid, conversation_id uuid, thread_id uuid,
    parent_message_id uuid, from_participant_id uuid, to_participant_ids uuid[], channel text, direction text,
    content json, addressing json, cost text, currency text, max_retries int, tags text[], categories text[],
    is_test boolean, is_internal boolean, is_automated boolean, attachment_count int, created_at timestamptz,
    attachments json, ${stateRecordColumns})
), stored AS (
  INSERT INTO messages (organization_id, id, conversation_id, thread_id, parent_message_id, from_participant_id,
    to_participant_ids, channel, direction, content, addressing, cost, currency, max_retries, tags, categories, is_test,
    is_internal, is_automated, attachment_count, created_at)
  SELECT organization_id, id, conversation_id, thread_id, parent_message_id, from_participant_id, to_participant_ids,
    channel, direction, content, addressing, cost, currency, max_retries, tags, categories, is_test, is_internal,
    is_automated, attachment_count, created_at FROM given
), states AS (
  INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, delivered_at,
    retry_count, max_retries, delivery_attempts, updated_at)
  SELECT organization_id, id, status, status_history, deliveries, delivered_at, retry_count, state_max_retries,
    delivery_attempts, updated_at FROM given
), links AS (
  INSERT INTO message_participants (organization_id, participant_id, message_id)
  SELECT DISTINCT g.organization_id, p.id, g.id
  FROM given AS g CROSS JOIN LATERAL unnest(g.from_participant_id || g.to_participant_ids) AS p(id)
)
INSERT INTO inbound_attachments (organization_id, message_id, position, id, filename, content_type, content_id, size,
  object_key)
SELECT g.organization_id, g.id, a.position, a.id, a.filename, a."contentType", a."contentId", a.size, a.key
FROM given AS g CROSS JOIN LATERAL json_to_recordset(g.attachments) AS a(position int, id uuid, filename text,
  "contentType" text, "contentId" text, size int, key text)`

/** Stores a received message where it belongs. To be run in the transaction that claimed it. */
export const insertReceived = (
  sql: SqlClient.SqlClient,
  { addressing, attachments, facts, state }: NewReceivedMessage,
  { currency, from, isTest, parentMessageId, place, to }: ReceivedFindings
) =>
  sql.unsafe(statement, [
    JSON.stringify({
      organization_id: facts.organizationId,
      id: facts.id,
      conversation_id: place.conversationId,
      thread_id: place.threadId,
      parent_message_id: parentMessageId,
      from_participant_id: from,
      to_participant_ids: to,
      channel: facts.channel,
      direction: facts.direction,
      content: facts.content,
      addressing,
      cost: facts.cost,
      currency,
      max_retries: facts.maxRetries,
      tags: facts.tags,
      categories: facts.categories,
      is_test: isTest,
      is_internal: facts.isInternal,
      is_automated: facts.isAutomated,
      attachment_count: attachments.length,
      created_at: facts.createdAt,
      attachments: attachments.map((attachment, position) => ({ position, ...attachment })),
      ...stateRecord(state)
    })
  ])
