import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/MessageState"
import type { Settlement, TakenMessage } from "@switchboard/services/messages/DeliveryQueue"
import { DateTime, Effect } from "effect"
import { queueChannel } from "./InsertMessages.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

/** A taken message, and what becomes of its state. */
export interface Done {
  readonly message: TakenMessage
  readonly decide: (state: MessageState) => Settlement
}

/** Only what this worker still holds: an entry whose lease ran out is another's by now. */
const lockStatement = /* sql */ `
SELECT q.id AS queue_id, s.message_id, ${stateColumns}
FROM json_to_recordset($1::json) AS d(organization_id uuid, id uuid)
  JOIN message_queue AS q ON q.organization_id = d.organization_id AND q.id = d.id AND q.worker = $2
  JOIN message_states AS s ON s.organization_id = q.organization_id AND s.message_id = q.message_id
ORDER BY s.organization_id, s.message_id FOR UPDATE`

/** Done entries leave, those with a time to come wait apart, and those to be tried at once are ready again. */
const finishStatement = /* sql */ `
WITH done AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS d(organization_id uuid, id uuid, message_id uuid, due_since timestamptz,
    retry_at timestamptz)
), gone AS (
  DELETE FROM message_queue AS q USING done AS d
  WHERE q.organization_id = d.organization_id AND q.id = d.id AND (d.retry_at IS NULL OR d.retry_at > now())
), waiting AS (
  INSERT INTO message_waiting (organization_id, id, message_id, due_at, due_since)
  SELECT organization_id, id, message_id, retry_at, due_since FROM done WHERE retry_at > now()
), again AS (
  UPDATE message_queue AS q SET worker = NULL, lease_until = NULL, takeovers = 0
  FROM done AS d WHERE q.organization_id = d.organization_id AND q.id = d.id AND d.retry_at <= now()
  RETURNING 1
)
SELECT pg_notify('${queueChannel}', '') WHERE EXISTS (SELECT 1 FROM again)`

interface HeldRow extends StateRow {
  readonly queue_id: string
  readonly message_id: MessageId
}

/** Stores what became of messages that this worker still holds. To be run in a transaction. */
export const settleMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  worker: string,
  done: ReadonlyArray<Done>
) {
  const held = yield* sql.unsafe<HeldRow>(lockStatement, [
    JSON.stringify(done.map(({ message }) => ({ organization_id: message.organizationId, id: message.queueId }))),
    worker
  ])
  const byEntry = new Map(done.map((one) => [one.message.queueId, one]))
  const settled = held.flatMap((row) => {
    const one = byEntry.get(row.queue_id)
    if (one === undefined) return []
    const before = stateFromRow(row)
    return [{ message: one.message, before, ...one.decide(before) }]
  })
  yield* writeStates(
    sql,
    settled.map(({ before, message, state }) => ({
      organizationId: message.organizationId,
      messageId: message.messageId,
      before,
      after: state
    }))
  )
  yield* sql.unsafe(finishStatement, [
    JSON.stringify(
      settled.map(({ message, retryAt }) => ({
        organization_id: message.organizationId,
        id: message.queueId,
        message_id: message.messageId,
        due_since: DateTime.formatIso(message.dueSince),
        retry_at: retryAt === null ? null : DateTime.formatIso(retryAt)
      }))
    )
  ])
})
