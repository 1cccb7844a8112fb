import type { SqlClient } from "@effect/sql"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import type { LeaseRequest } from "@switchboard/services/queues/LeasedQueue"
import type { TakenCall } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Effect } from "effect"
import { type LeaseRow, leaseHistory, leasesOf } from "../../queues/Leases.js"
import { callChannel } from "./CallWork.js"
import { callColumns, callFromRow, runColumns, runFromRow } from "./VoiceCallRows.js"

/** A queue entry that was leased just now. */
interface CallLease extends LeaseRow {
  readonly id: VoiceCallId
}

/** The leases of `voice_call_queue`: organizations take turns. */
export const callLeases = leasesOf<CallLease>({
  name: "voice_call_queue",
  owner: "organization_id",
  columns: [],
  channel: callChannel
})

/** One after the other by primary key, whatever the plan. */
const readStatement = /* sql */ `
SELECT c.*, r.* FROM json_to_recordset($1::json) AS t(organization_id uuid, id uuid)
  CROSS JOIN LATERAL (
    SELECT ${callColumns} FROM voice_calls AS c
    WHERE c.organization_id = t.organization_id AND c.id = t.id OFFSET 0
  ) AS c
  CROSS JOIN LATERAL (
    SELECT ${runColumns} FROM voice_call_runs AS r
    WHERE r.organization_id = t.organization_id AND r.call_id = t.id OFFSET 0
  ) AS r`

/** Leases entries, and reads their calls. To be run in a transaction. */
export const takeCalls = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, request: LeaseRequest, cursor: string) {
  const leases = yield* callLeases.take(sql, request, cursor)
  const last = leases.at(-1)
  if (last === undefined) return { taken: [], cursor }
  const rows = yield* sql.unsafe<{ readonly id: string }>(readStatement, [
    JSON.stringify(leases.map(({ id, organization_id }) => ({ organization_id, id })))
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const taken = leases.flatMap((entry): ReadonlyArray<TakenCall> => {
    const row = byId.get(entry.id)
    return row === undefined ? [] : [{ call: callFromRow(row), run: runFromRow(row), ...leaseHistory(entry) }]
  })
  return { taken, cursor: last.organization_id }
})
