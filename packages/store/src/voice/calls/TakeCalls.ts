import type { SqlClient } from "@effect/sql"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import type { TakenCall } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Array, Effect, Either } from "effect"
import { type LeaseRow, leaseHistory } from "../../queues/LeaseInTurns.js"
import { callColumns, callFromRow, runColumns, runFromRow } from "./VoiceCallRows.js"

/** An entry of `voice_call_queue` that was leased just now. */
export interface CallLease extends LeaseRow {
  readonly id: VoiceCallId
}

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

/** Reads the calls of leased entries. To be run in a transaction. */
export const takeCalls = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, leases: ReadonlyArray<CallLease>) {
  const rows = yield* sql.unsafe<{ readonly id: string }>(readStatement, [
    JSON.stringify(leases.map(({ id, organization_id }) => ({ organization_id, id })))
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const [gone, items] = Array.partitionMap(leases, (entry): Either.Either<TakenCall, CallLease> => {
    const row = byId.get(entry.id)
    return row === undefined
      ? Either.left(entry)
      : Either.right({ call: callFromRow(row), run: runFromRow(row), ...leaseHistory(entry) })
  })
  return { items, gone }
})
