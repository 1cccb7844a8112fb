import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { VoiceCallId } from "@switchboard/domain/voice/VoiceCall"
import type { TakeCalls, TakenCall } from "@switchboard/services/voice/calls/VoiceCallQueue"
import { Effect } from "effect"
import { type Leased, leasesOf } from "../../Leases.js"
import { callChannel } from "./CallWork.js"
import { callColumns, callFromRow, runColumns, runFromRow } from "./VoiceCallRows.js"

/** A queue entry that was leased just now. */
interface LeaseRow extends Leased {
  readonly organization_id: OrganizationId
  readonly id: VoiceCallId
  readonly takeovers: number
}

/** The leases of `voice_call_queue`: organizations take turns. */
export const callLeases = leasesOf<LeaseRow>({
  name: "voice_call_queue",
  owner: "organization_id",
  columns: ["organization_id", "id", "takeovers"],
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
export const takeCalls = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, request: TakeCalls, cursor: string) {
  const leases = yield* callLeases.take(sql, { ...request, perOwner: request.perOrganization }, cursor)
  const last = leases.at(-1)
  if (last === undefined) return { taken: [], cursor }
  const rows = yield* sql.unsafe<{ readonly id: string }>(readStatement, [
    JSON.stringify(leases.map(({ id, organization_id }) => ({ organization_id, id })))
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const taken = leases.flatMap(({ id, takeovers }): ReadonlyArray<TakenCall> => {
    const row = byId.get(id)
    return row === undefined ? [] : [{ call: callFromRow(row), run: runFromRow(row), takeovers }]
  })
  return { taken, cursor: last.organization_id }
})
