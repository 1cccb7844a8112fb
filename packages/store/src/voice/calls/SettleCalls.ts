import type { SqlClient } from "@effect/sql"
import type { StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import type { CallSettlement } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Array, DateTime, Effect, Order } from "effect"
import type { Hold } from "../../queues/WorkQueue.js"
import { dropCallWork } from "./CallWork.js"
import { tellOfCall } from "./TellOfCall.js"
import { callColumns, callFromRow, callProgressColumns } from "./VoiceCallRows.js"

/** What others than its worker may change of a call under way. */
const othersPart = ({ hangUpAt, recorded }: StoredCall) =>
  JSON.stringify([hangUpAt === null ? null : DateTime.toEpochMillis(hangUpAt), recorded])

/** Stores how a call goes on that the worker still holds; null if it does not. The call is locked before its entry. */
const settleCall = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { call: after, dueAt, events, isDone, run, taken }: CallSettlement,
  hold: Hold
) {
  const { id, organizationId } = after
  const [row] = yield* sql`SELECT ${sql.literal(callColumns)} FROM voice_calls
    WHERE organization_id = ${organizationId} AND id = ${id} FOR UPDATE`
  const held = yield* hold([taken.call])
  if (row === undefined || held.size === 0) return null
  const goesOn = (retryAt: DateTime.Utc | null) => ({ organizationId, id, retryAt })
  const present = callFromRow(row)
  // It was ended while the worker held it.
  if (present.status !== taken.call.status) {
    yield* dropCallWork(sql, present)
    return null
  }
  const isChanged = othersPart(present) !== othersPart(taken.call)
  const now = yield* DateTime.now
  if (isChanged && !isDone) return goesOn(now)
  const call = isChanged ? { ...after, hangUpAt: present.hangUpAt, recorded: present.recorded } : after
  yield* sql`UPDATE voice_calls SET ${sql.update(callProgressColumns(call))}
    WHERE organization_id = ${organizationId} AND id = ${id}`
  yield* tellOfCall(sql, call, events)
  if (dueAt === null) {
    yield* dropCallWork(sql, call)
    return null
  }
  yield* sql`UPDATE voice_call_runs SET ${sql.update({
    rung: run.rung === null ? null : JSON.stringify(run.rung),
    progress: run.progress === null ? null : JSON.stringify(run.progress)
  })} WHERE organization_id = ${organizationId} AND call_id = ${id}`
  return goesOn(isChanged && call.hangUpAt !== null ? now : dueAt)
})

/** Stores how calls go on, one after the other in the order of their ids. To be run in a transaction. */
export const settleCalls = (sql: SqlClient.SqlClient, done: ReadonlyArray<CallSettlement>, hold: Hold) =>
  Effect.map(
    Effect.forEach(
      Array.sortWith(done, ({ call }) => call.id, Order.string),
      (settlement) => settleCall(sql, settlement, hold)
    ),
    Array.filter((entry) => entry !== null)
  )
