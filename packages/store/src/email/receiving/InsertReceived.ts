import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { NewReceivedMessage } from "@switchboard/services/email/receiving/ReceivedMessageRepo"
import { Effect } from "effect"
import { factColumns, factRecord, factRecordColumns } from "../../messages/MessageRows.js"
import { stateRecord, stateRecordColumns } from "../../messages/StateRows.js"
import type { MessagePlacement } from "../threads/JoinThread.js"

/** The conversation, parent and participants of a received message. */
export interface ReceivedFindings {
  readonly place: MessagePlacement
  readonly parentMessageId: MessageId | null
  readonly from: ParticipantId
  readonly to: ReadonlyArray<ParticipantId>
  readonly currency: string
  readonly isTest: boolean
}

/**
 * Inserts the row that marks the message as received. Returns false if another worker did so: the second one waits here
 * until the first commits.
 */
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
WITH new_messages AS MATERIALIZED (
  SELECT * FROM json_to_record($1::json) AS g(from_participant_id uuid, to_participant_ids uuid[],
    ${factRecordColumns}, attachments json, ${stateRecordColumns})
), stored AS (
  INSERT INTO messages (from_participant_id, to_participant_ids, ${factColumns})
  SELECT from_participant_id, to_participant_ids, ${factColumns} FROM new_messages
), states AS (
  INSERT INTO message_states (organization_id, message_id, status, status_history, deliveries, delivered_at,
    retry_count, max_retries, delivery_attempts, updated_at)
  SELECT organization_id, id, status, status_history, deliveries, delivered_at, retry_count, state_max_retries,
    delivery_attempts, updated_at FROM new_messages
), links AS (
  INSERT INTO message_participants (organization_id, participant_id, message_id)
  SELECT DISTINCT g.organization_id, p.id, g.id
  FROM new_messages AS g CROSS JOIN LATERAL unnest(g.from_participant_id || g.to_participant_ids) AS p(id)
)
INSERT INTO inbound_attachments (organization_id, message_id, position, id, filename, content_type, content_id, size,
  object_key)
SELECT g.organization_id, g.id, a.position, a.id, a.filename, a."contentType", a."contentId", a.size, a.key
FROM new_messages AS g CROSS JOIN LATERAL json_to_recordset(g.attachments) AS a(position int, id uuid, filename text,
  "contentType" text, "contentId" text, size int, key text)`

/** Stores a received message. Requires the transaction of `claimReceived`. */
export const insertReceived = (
  sql: SqlClient.SqlClient,
  { addressing, attachments, facts, state }: NewReceivedMessage,
  { currency, from, isTest, parentMessageId, place, to }: ReceivedFindings
) =>
  sql.unsafe(statement, [
    JSON.stringify({
      from_participant_id: from,
      to_participant_ids: to,
      ...factRecord({
        facts: {
          ...facts,
          conversationId: place.conversationId,
          threadId: place.threadId,
          parentMessageId,
          currency,
          isTest
        },
        addressing,
        attachments,
        trackOpens: false,
        traceParent: null
      }),
      attachments: attachments.map((attachment, position) => ({ position, ...attachment })),
      ...stateRecord(state)
    })
  ])
