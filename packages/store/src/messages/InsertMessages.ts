import type { SqlClient } from "@effect/sql"
import type { Message } from "@switchboard/domain/messages/Message"
import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { DateTime, Effect } from "effect"
import { type EventRecord, eventColumns, messageEvent } from "./EventRows.js"
import { stateRecord, stateRecordColumns } from "./StateRows.js"

/** The channel on which workers hear that something became ready. */
export const queueChannel = "switchboard_queue"

/** Everything about the new messages of a batch, in one statement and with one notification. */
const insertStatement = /* sql */ `
WITH given AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS g(id uuid, organization_id uuid, conversation_id uuid,
    from_participant_id uuid, to_participant_ids uuid[], channel text, direction text, content json, addressing json,
    scheduled_at timestamptz, cost text, currency text, max_retries int, queue_message_id uuid, tags text[],
    categories text[], is_test boolean, is_internal boolean, is_automated boolean, external_id text, reference_id text,
    api_key_id uuid, http_method text, api_request_metadata json, attachment_count int, trace_parent text,
    created_at timestamptz, ${stateRecordColumns})
), stored AS (
  INSERT INTO messages (organization_id, id, conversation_id, from_participant_id, to_participant_ids, channel,
    direction, content, addressing, scheduled_at, cost, currency, max_retries, queue_message_id, tags, categories,
    is_test, is_internal, is_automated, external_id, reference_id, api_key_id, http_method, api_request_metadata,
    attachment_count, trace_parent, created_at)
  SELECT organization_id, id, conversation_id, from_participant_id, to_participant_ids, channel, direction, content,
    addressing, scheduled_at, cost, currency, max_retries, queue_message_id, tags, categories, is_test, is_internal,
    is_automated, external_id, reference_id, api_key_id, http_method, api_request_metadata, attachment_count,
    trace_parent, created_at FROM given
), states AS (
  INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, retry_count,
    max_retries, delivery_attempts, updated_at)
  SELECT organization_id, id, status, status_history, deliveries, retry_count, state_max_retries, delivery_attempts,
    updated_at FROM given
), participants AS (
  INSERT INTO message_participants (organization_id, participant_id, message_id)
  SELECT DISTINCT g.organization_id, p.id, g.id
  FROM given AS g CROSS JOIN LATERAL unnest(g.from_participant_id || g.to_participant_ids) AS p(id)
), ready AS (
  INSERT INTO message_queue (organization_id, id, message_id, ready_at, due_since)
  SELECT organization_id, queue_message_id, id, now(), created_at FROM given WHERE scheduled_at IS NULL
  RETURNING 1
), waiting AS (
  INSERT INTO message_waiting (organization_id, id, message_id, due_at, due_since)
  SELECT organization_id, queue_message_id, id, scheduled_at, scheduled_at FROM given WHERE scheduled_at IS NOT NULL
), told AS (
  INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
  SELECT organization_id, id, type, subject_id, data, created_at FROM json_to_recordset($2::json) AS e(${eventColumns})
)
SELECT pg_notify('${queueChannel}', '') WHERE EXISTS (SELECT 1 FROM ready)`

const insertAttachments = /* sql */ `
INSERT INTO message_attachments (organization_id, message_id, position, filename, content_type, content_id, content)
SELECT organization_id, message_id, position, filename, content_type, content_id, content
FROM ROWS FROM (
  json_to_recordset($1::json) AS (organization_id uuid, message_id uuid, position int, filename text, content_type text, content_id text),
  unnest($2::bytea[])
) AS a(organization_id, message_id, position, filename, content_type, content_id, content)`

const record = ({ attachments, state, traceParent, addressing }: NewMessage, message: Message) => ({
  id: message.id,
  organization_id: message.organizationId,
  conversation_id: message.conversationId,
  from_participant_id: message.fromParticipantId,
  to_participant_ids: message.toParticipantIds,
  channel: message.channel,
  direction: message.direction,
  content: message.content,
  addressing,
  scheduled_at: message.scheduledAt,
  cost: message.cost,
  currency: message.currency,
  max_retries: message.maxRetries,
  queue_message_id: message.queueMessageId,
  tags: message.tags,
  categories: message.categories,
  is_test: message.isTest,
  is_internal: message.isInternal,
  is_automated: message.isAutomated,
  external_id: message.externalId,
  reference_id: message.referenceId,
  api_key_id: message.apiKeyId,
  http_method: message.httpMethod,
  api_request_metadata: message.apiRequestMetadata,
  attachment_count: attachments.length,
  trace_parent: traceParent,
  created_at: message.createdAt,
  ...stateRecord(state)
})

const events = ({ facts, state }: NewMessage): ReadonlyArray<EventRecord> => [
  messageEvent(facts.organizationId, facts.id, "message.created", {
    timestamp: DateTime.formatIso(facts.createdAt)
  }),
  ...state.statusHistory.map((entry) => messageEvent(facts.organizationId, facts.id, `message.${entry.status}`, entry))
]

/** Stores new messages with their states, participants, attachments, queue entries and events. */
export const insertMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  batch: ReadonlyArray<{ readonly given: NewMessage; readonly message: Message }>
) {
  if (batch.length === 0) return
  yield* sql.unsafe(insertStatement, [
    JSON.stringify(batch.map(({ given, message }) => record(given, message))),
    JSON.stringify(batch.flatMap(({ given }) => events(given)))
  ])
  const attachments = batch.flatMap(({ given }) =>
    given.attachments.map((attachment, position) => ({ attachment, position, facts: given.facts }))
  )
  if (attachments.length === 0) return
  yield* sql.unsafe(insertAttachments, [
    JSON.stringify(
      attachments.map(({ attachment, facts, position }) => ({
        organization_id: facts.organizationId,
        message_id: facts.id,
        position,
        filename: attachment.filename,
        content_type: attachment.contentType,
        content_id: attachment.contentId
      }))
    ),
    attachments.map(({ attachment }) => Buffer.from(attachment.content))
  ])
})
