import type { SqlClient } from "@effect/sql"
import type { ReportedEvent } from "@switchboard/domain/voice/calls/CallControl"
import { CallRun, StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import type { CallKey } from "@switchboard/services/voice/calls/VoiceCallRepo"
import { Clock, Effect, Schema } from "effect"
import { notify, queueTables } from "../../queues/QueueTables.js"
import { fixedFields, rowMapping } from "../../RowMapping.js"

const notifyWorkers = (sql: SqlClient.SqlClient) => sql`SELECT ${sql.literal(notify(queueTables.voice_call))}`

/** Queues a new call. */
export const queueCall = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.zipRight(
    sql`INSERT INTO voice_call_queue (organization_id, id, ready_at) VALUES (${organizationId}, ${id}, now())`,
    notifyWorkers(sql)
  )

/** Moves a waiting call to the queue. A worker that holds the call detects the change when it settles the call. */
export const wakeCall = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.zipRight(
    sql`WITH woken AS (
        DELETE FROM voice_call_waiting WHERE organization_id = ${organizationId} AND id = ${id}
        RETURNING organization_id, id
      )
      INSERT INTO voice_call_queue (organization_id, id, ready_at)
      SELECT organization_id, id, now() FROM woken`,
    notifyWorkers(sql)
  )

/**
 * Stores a reported event, unless it is stored, and makes the call ready when it takes effect. Requires a transaction. A
 * worker that holds the call reads the event when it settles the call.
 */
export const deliverEvent = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  call: CallKey,
  reported: ReportedEvent
) {
  const { id, organizationId } = call
  yield* sql`SELECT FROM voice_calls WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`
  const stored = yield* sql`UPDATE voice_call_runs SET inbox = inbox || ${JSON.stringify([reported])}::jsonb
    WHERE organization_id = ${organizationId} AND call_id = ${id}
      AND NOT inbox @> ${JSON.stringify([{ id: reported.id }])}::jsonb RETURNING 1`
  if (stored.length === 0) return
  const now = yield* Clock.currentTimeMillis
  if (reported.at <= now) yield* wakeCall(sql, call)
  else {
    yield* sql`UPDATE voice_call_waiting SET due_at = least(due_at, ${new Date(reported.at)})
      WHERE organization_id = ${organizationId} AND id = ${id}`
  }
})

/** Deletes the queue entries and the progress of a call. */
export const dropCallWork = (sql: SqlClient.SqlClient, { id, organizationId }: CallKey) =>
  Effect.all(
    [
      sql`DELETE FROM voice_call_queue WHERE organization_id = ${organizationId} AND id = ${id}`,
      sql`DELETE FROM voice_call_waiting WHERE organization_id = ${organizationId} AND id = ${id}`,
      sql`DELETE FROM voice_call_runs WHERE organization_id = ${organizationId} AND call_id = ${id}`
    ],
    { discard: true }
  )

const calls = rowMapping(StoredCall.fields, { alias: "c", named: { from: "from_number", to: "to_number" } })

/** Rows of `voice_calls AS c`. */
export const callTable = { ...calls, tables: "voice_calls AS c" }

/** The columns of a call that can change. */
export const callProgressColumns = (call: StoredCall) =>
  calls.write(call, [
    ...fixedFields,
    ...(["voiceAgentId", "phoneNumberId", "conversationId", "transport", "direction", "from", "to", "speed"] as const)
  ])

/** The columns of `voice_call_runs` for `runFromRow`. */
export const runColumns = `script, api_key_id AS "apiKeyId", may_send_messages AS "maySendMessages", inbox, progress`

export const runFromRow = Schema.decodeUnknownSync(CallRun)
