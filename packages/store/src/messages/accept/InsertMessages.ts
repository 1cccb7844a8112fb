import type { NewMessage } from "@switchboard/services/messages/MessageRepo"
import { DateTime } from "effect"
import { type EventRecord, eventColumns, messageEvent } from "../EventRows.js"
import { factColumns, factRecord, factRecordColumns } from "../MessageRows.js"
import { newStateColumns, newStateRecord } from "../StateRows.js"
import type { Addressed } from "./FindOrCreateParticipants.js"

/**
 * The CTEs of the accept statement that store accepted messages. No other transaction has these ids yet, so no lock
 * wait is possible. `written` depends on all of them.
 */
export const messagesPart = (messages: string, events: string) => /* sql */ `
new_messages AS MATERIALIZED (
  SELECT g.*, resolved.ids[g.sender] AS from_participant_id, ARRAY(
    SELECT resolved.ids[r.n] FROM unnest(g.recipients) WITH ORDINALITY AS r(n, place) GROUP BY 1 ORDER BY min(r.place)
  ) AS to_participant_ids
  FROM json_to_recordset(${messages}::json) AS g(sender int, recipients int[], lane int, ${factRecordColumns},
    ${newStateColumns})
  CROSS JOIN resolved WHERE g.id IN (SELECT id FROM accepted)
), stored AS (
  INSERT INTO messages (from_participant_id, to_participant_ids, ${factColumns})
  SELECT from_participant_id, to_participant_ids, ${factColumns} FROM new_messages
  RETURNING organization_id, is_test
), states AS (
  INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, retry_count,
    max_retries, delivery_attempts, updated_at)
  SELECT organization_id, id, status, status_history, deliveries, retry_count, state_max_retries, delivery_attempts,
    updated_at FROM new_messages
  RETURNING 1
), links AS (
  INSERT INTO message_participants (organization_id, participant_id, message_id, thread_id)
  SELECT DISTINCT g.organization_id, p.id, g.id, g.thread_id
  FROM new_messages AS g CROSS JOIN LATERAL unnest(g.from_participant_id || g.to_participant_ids) AS p(id)
  RETURNING 1
), tagged AS (
  INSERT INTO message_tags (organization_id, tag, message_id)
  SELECT DISTINCT g.organization_id, tag, g.id FROM new_messages AS g CROSS JOIN LATERAL unnest(g.tags) AS tag
  RETURNING 1
), ready AS (
  INSERT INTO message_queue (organization_id, id, message_id, ready_at, due_since, lane)
  SELECT organization_id, queue_message_id, id, now(), created_at, lane FROM new_messages WHERE scheduled_at IS NULL
  RETURNING organization_id
), waiting AS (
  INSERT INTO message_waiting (organization_id, id, message_id, due_at, due_since, lane)
  SELECT organization_id, queue_message_id, id, scheduled_at, scheduled_at, lane FROM new_messages WHERE scheduled_at IS NOT NULL
  RETURNING 1
), written_events AS (
  INSERT INTO events (organization_id, id, type, subject_id, data, created_at)
  SELECT organization_id, id, type, subject_id, data, created_at
  FROM json_to_recordset(${events}::json) AS e(${eventColumns}) WHERE subject_id IN (SELECT id FROM accepted)
  RETURNING 1
), written AS MATERIALIZED (
  SELECT (SELECT count(*) FROM states) + (SELECT count(*) FROM links) + (SELECT count(*) FROM tagged)
    + (SELECT count(*) FROM ready) + (SELECT count(*) FROM waiting) + (SELECT count(*) FROM written_events) + (SELECT count(*) FROM attached) AS rows
)`

/** The CTE that stores attachments. Their contents are a separate parameter because JSON cannot hold binary data. */
export const attachmentsPart = (attachments: string, contents: string) => /* sql */ `
attached AS (
  INSERT INTO message_attachments (organization_id, message_id, position, filename, content_type, content_id, content)
  SELECT organization_id, message_id, position, filename, content_type, content_id, content
  FROM ROWS FROM (
    json_to_recordset(${attachments}::json) AS (organization_id uuid, message_id uuid, position int, filename text,
      content_type text, content_id text),
    unnest(${contents}::bytea[])
  ) AS a(organization_id, message_id, position, filename, content_type, content_id, content)
  WHERE message_id IN (SELECT id FROM accepted)
  RETURNING 1
)`

/** The input of `messagesPart` for a message. */
export const messageRecord = (message: NewMessage, { recipients, sender }: Addressed) => ({
  sender,
  recipients,
  lane: message.isBulk ? 1 : 0,
  ...factRecord(message),
  ...newStateRecord(message.state)
})

/**
 * The input of `messagesPart` for a message's events: `message.created`, and for a scheduled message also
 * `message.scheduled`. The status `pending` has no event.
 */
export const acceptEvents = ({ facts, state }: NewMessage): ReadonlyArray<EventRecord> => [
  messageEvent(facts.organizationId, facts.id, "message.created", {
    timestamp: DateTime.formatIso(facts.createdAt)
  }),
  ...state.statusHistory
    .filter(({ status }) => status === "scheduled")
    .map((entry) => messageEvent(facts.organizationId, facts.id, "message.scheduled", entry))
]

/** The input of `attachmentsPart` for a message, without the contents. */
export const attachmentRecords = ({ attachments, facts }: NewMessage) =>
  attachments.map(({ contentId, contentType, filename }, position) => ({
    organization_id: facts.organizationId,
    message_id: facts.id,
    position,
    filename,
    content_type: contentType,
    content_id: contentId
  }))
