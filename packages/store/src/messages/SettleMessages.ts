import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/MessageState"
import type { Settlement, TakenMessage } from "@switchboard/services/messages/DeliveryQueue"
import { DateTime, Effect } from "effect"
import { blockRecipients } from "../email/blocks/BlockRecipients.js"
import { settledLease } from "../queues/Leases.js"
import { queueChannel } from "./InsertMessages.js"
import { type StateRow, stateColumns, stateFromRow, writeStates } from "./StateRows.js"

/** A taken message, and what becomes of its state. */
export interface Done {
  readonly message: TakenMessage
  readonly decide: (state: MessageState) => Settlement
}

/**
 * Only what no other worker has leased since. One entry after the other, so
 * that all lock in the same order, and by both columns of whichever index is chosen: no plan made from stale statistics
 * goes through all rows of an organization.
 */
const lockStatement = /* sql */ `
SELECT e.queue_id, e.place_in_table::text, s.*
FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, message_id uuid)
    ORDER BY organization_id, message_id) AS d
  CROSS JOIN LATERAL (
    SELECT q.id AS queue_id, q.message_id, q.ctid AS place_in_table FROM message_queue AS q
    WHERE q.organization_id = d.organization_id AND q.id = d.id AND q.message_id = d.message_id AND q.worker = $2
    FOR UPDATE
  ) AS e
  CROSS JOIN LATERAL (
    SELECT s.message_id, ${stateColumns} FROM message_states AS s
    WHERE s.organization_id = d.organization_id AND s.message_id = e.message_id FOR UPDATE
  ) AS s`

/**
 * Done entries leave, those with a time to come wait apart, and those to be tried at once are ready again. All are
 * locked, so that they are still where they were found (`ctid`).
 */
const finishStatement = /* sql */ `
WITH done AS MATERIALIZED (
  SELECT * FROM json_to_recordset($1::json) AS d(place_in_table tid, retry_at timestamptz)
), gone AS (
  DELETE FROM message_queue
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM done WHERE retry_at IS NULL OR retry_at > now()))
  RETURNING ctid AS place_in_table, organization_id, id, message_id, due_since
), waiting AS (
  INSERT INTO message_waiting (organization_id, id, message_id, due_at, due_since)
  SELECT g.organization_id, g.id, g.message_id, d.retry_at, g.due_since
  FROM gone AS g JOIN done AS d USING (place_in_table) WHERE d.retry_at IS NOT NULL
), again AS (
  UPDATE message_queue SET ${settledLease}, lease_until = NULL
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM done WHERE retry_at <= now()))
  RETURNING 1
)
SELECT pg_notify('${queueChannel}', '') WHERE EXISTS (SELECT 1 FROM again)`

interface HeldRow extends StateRow {
  readonly queue_id: string
  readonly place_in_table: string
  readonly message_id: MessageId
}

/** Stores what became of messages that this worker still holds. To be run in a transaction. */
export const settleMessages = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  worker: string,
  done: ReadonlyArray<Done>
) {
  const held = yield* sql.unsafe<HeldRow>(lockStatement, [
    JSON.stringify(
      done.map(({ message }) => ({
        organization_id: message.organizationId,
        id: message.queueId,
        message_id: message.messageId
      }))
    ),
    worker
  ])
  const byEntry = new Map(done.map((one) => [one.message.queueId, one]))
  const settled = held.flatMap((row) => {
    const one = byEntry.get(row.queue_id)
    if (one === undefined) return []
    const before = stateFromRow(row)
    return [{ message: one.message, placeInTable: row.place_in_table, before, ...one.decide(before) }]
  })
  const changes = settled.map(({ before, message, state }) => ({
    organizationId: message.organizationId,
    messageId: message.messageId,
    before,
    after: state
  }))
  yield* writeStates(sql, changes)
  yield* blockRecipients(sql, changes)
  yield* sql.unsafe(finishStatement, [
    JSON.stringify(
      settled.map(({ placeInTable, retryAt }) => ({
        place_in_table: placeInTable,
        retry_at: retryAt === null ? null : DateTime.formatIso(retryAt)
      }))
    )
  ])
})
