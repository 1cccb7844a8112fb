import type { SqlClient } from "@effect/sql"
import type { StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import type { CallSettlement } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { DateTime, Effect } from "effect"
import { settledLease } from "../../queues/Leases.js"
import { callChannel, dropCallWork } from "./CallWork.js"
import { callLeases } from "./TakeCalls.js"
import { tellOfCall } from "./TellOfCall.js"
import { callColumns, callFromRow, callProgressColumns } from "./VoiceCallRows.js"

/** What others than its worker may change of a call under way. */
const othersPart = ({ hangUpAt, recorded }: StoredCall) =>
  JSON.stringify([hangUpAt === null ? null : DateTime.toEpochMillis(hangUpAt), recorded])

/** The entry is ready again now, or waits for its time. */
const putBack = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { id, organizationId }: StoredCall,
  dueAt: DateTime.Utc
) {
  const now = yield* DateTime.now
  if (DateTime.lessThanOrEqualTo(dueAt, now)) {
    yield* sql`UPDATE voice_call_queue SET ${sql.literal(settledLease)}, lease_until = NULL, ready_at = now()
      WHERE organization_id = ${organizationId} AND id = ${id}`
    yield* sql`SELECT pg_notify(${callChannel}, '')`
  } else {
    yield* sql`DELETE FROM voice_call_queue WHERE organization_id = ${organizationId} AND id = ${id}`
    yield* sql`INSERT INTO voice_call_waiting (organization_id, id, due_at)
      VALUES (${organizationId}, ${id}, ${DateTime.toDateUtc(dueAt)})`
  }
})

/**
 * Stores how a call goes on that this worker still holds. The call is locked first, as whoever changes it does. To be
 * run in a transaction.
 */
export const settleCall = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  worker: string,
  { call: after, dueAt, events, isDone, run, taken }: CallSettlement
) {
  const { id, organizationId } = after
  const [row] = yield* sql`SELECT ${sql.literal(callColumns)} FROM voice_calls
    WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`
  const held = yield* callLeases.lock(sql, worker, [taken.call])
  if (row === undefined || held.size === 0) return
  const present = callFromRow(row)
  // Somebody ended it meanwhile.
  if (present.status !== taken.call.status) return yield* dropCallWork(sql, present)
  const isChanged = othersPart(present) !== othersPart(taken.call)
  const now = yield* DateTime.now
  if (isChanged && !isDone) return yield* putBack(sql, present, now)
  const call = isChanged ? { ...after, hangUpAt: present.hangUpAt, recorded: present.recorded } : after
  yield* sql`UPDATE voice_calls SET ${sql.update(callProgressColumns(call))}
    WHERE organization_id = ${organizationId} AND id = ${id}`
  yield* tellOfCall(sql, call, events)
  if (dueAt === null) return yield* dropCallWork(sql, call)
  yield* sql`UPDATE voice_call_runs SET ${sql.update({
    rung: run.rung === null ? null : JSON.stringify(run.rung),
    progress: run.progress === null ? null : JSON.stringify(run.progress)
  })} WHERE organization_id = ${organizationId} AND call_id = ${id}`
  yield* putBack(sql, call, isChanged && call.hangUpAt !== null ? now : dueAt)
})
