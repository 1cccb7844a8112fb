import { SqlClient } from "@effect/sql"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import type { CallRun, StoredCall } from "@switchboard/services/voice/calls/StoredCall"
import { type CallSettlement, type TakenCall, VoiceCallQueue } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Array, DateTime, Effect, Either, Layer, Order } from "effect"
import { insertEvents } from "../../events/InsertEvents.js"
import { type LeaseRow, leaseHistory } from "../../queues/LeaseEntries.js"
import { NotificationsLive, queueTables } from "../../queues/QueueTables.js"
import { type Hold, workQueueSql } from "../../queues/WorkQueueSql.js"
import { callProgressColumns, callTable, dropCallWork, runColumns, runFromRow } from "./VoiceCallRows.js"

/** The fields of an active call that requests may change while a worker holds it. */
const requestedFields = ({ hangUpAt, recorded }: StoredCall) =>
  JSON.stringify([hangUpAt === undefined ? null : DateTime.toEpochMillis(hangUpAt), recorded])

/** Stores the outcome of a call that the worker still holds; null if it does not. Locks the call before its entry. */
const settleCall = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { call: after, dueAt, events, isDone, isRetry, processed, run, taken }: CallSettlement,
  hold: Hold
) {
  const { id, organizationId } = after
  const [row] = yield* sql`SELECT ${sql.literal(callTable.columns)} FROM voice_calls AS c
    WHERE c.organization_id = ${organizationId} AND c.id = ${id} FOR UPDATE`
  const held = yield* hold([taken.call])
  if (row === undefined || held.size === 0) return null
  const next = (retryAt: DateTime.Utc | null) => ({ organizationId, id, retryAt })
  const present = callTable.read(row)
  // The call was ended by a request while the worker held it.
  if (present.status !== taken.call.status) {
    yield* dropCallWork(sql, present)
    return null
  }
  const isChanged = requestedFields(present) !== requestedFields(taken.call)
  const now = yield* DateTime.now
  if (isChanged && !isDone) return next(now)
  const [stored] = yield* sql<{ readonly inbox: CallRun["inbox"] }>`SELECT inbox FROM voice_call_runs
    WHERE organization_id = ${organizationId} AND call_id = ${id}`
  const done = new Set(processed.map((reported) => reported.id))
  const inbox = Array.sortWith(stored?.inbox ?? [], ({ at }) => at, Order.number).filter((one) => !done.has(one.id))
  const [first] = inbox
  const untilMs = first !== undefined && "of" in first.event ? first.event.atMs : after.untilMs
  const call = {
    ...after,
    untilMs,
    ...(isChanged ? { hangUpAt: present.hangUpAt, recorded: present.recorded } : {})
  }
  yield* sql`UPDATE voice_calls SET ${sql.update(callProgressColumns(call))}
    WHERE organization_id = ${organizationId} AND id = ${id}`
  yield* insertEvents(sql, events)
  if (dueAt === null) {
    yield* dropCallWork(sql, call)
    return null
  }
  yield* sql`UPDATE voice_call_runs SET ${sql.update({
    inbox: JSON.stringify(inbox),
    progress: run.progress === null ? null : JSON.stringify(run.progress)
  })} WHERE organization_id = ${organizationId} AND call_id = ${id}`
  if (isChanged && call.hangUpAt !== undefined) return next(now)
  return next(first === undefined || isRetry ? dueAt : DateTime.min(dueAt, DateTime.unsafeMake(first.at)))
})

/** Stores the outcomes of calls, one by one in the order of ids. Requires a transaction. */
const settleCalls = (sql: SqlClient.SqlClient, done: ReadonlyArray<CallSettlement>, hold: Hold) =>
  Effect.map(
    Effect.forEach(
      Array.sortWith(done, ({ call }) => call.id, Order.string),
      (settlement) => settleCall(sql, settlement, hold)
    ),
    Array.filter((entry) => entry !== null)
  )

/** A leased entry of `voice_call_queue`. */
interface CallLease extends LeaseRow {
  readonly id: VoiceCallId
}

/** A LATERAL join: one primary key lookup per entry with any query plan. */
const readStatement = /* sql */ `
SELECT c.*, r.* FROM json_to_recordset($1::json) AS t(organization_id uuid, id uuid)
  CROSS JOIN LATERAL (
    SELECT ${callTable.columns} FROM ${callTable.tables}
    WHERE c.organization_id = t.organization_id AND c.id = t.id OFFSET 0
  ) AS c
  CROSS JOIN LATERAL (
    SELECT ${runColumns} FROM voice_call_runs AS r
    WHERE r.organization_id = t.organization_id AND r.call_id = t.id OFFSET 0
  ) AS r`

/** Reads the calls of leased entries. Requires a transaction. */
const takeCalls = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, leases: ReadonlyArray<CallLease>) {
  const rows = yield* sql.unsafe<{ readonly id: string }>(readStatement, [
    JSON.stringify(leases.map(({ id, organization_id }) => ({ organization_id, id })))
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const [gone, items] = Array.partitionMap(leases, (entry): Either.Either<TakenCall, CallLease> => {
    const row = byId.get(entry.id)
    return row === undefined
      ? Either.left(entry)
      : Either.right({ call: callTable.read(row), run: runFromRow(row), ...leaseHistory(entry) })
  })
  return { items, gone }
})

/** The queue of calls. Entries have the ids of calls. */
export const VoiceCallQueueSql = Layer.effect(
  VoiceCallQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    workQueueSql(queueTables.voice_call, {
      read: (leases: ReadonlyArray<CallLease>) => takeCalls(sql, leases),
      settle: (done: ReadonlyArray<CallSettlement>, hold) => settleCalls(sql, done, hold)
    })
  )
).pipe(Layer.provide(NotificationsLive))
