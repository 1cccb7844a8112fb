import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import { messageRollup } from "@switchboard/domain/analytics/MessageRollup"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { foldRange } from "../rollups/FoldedEvents.js"
import { rowParameter, rowsOf } from "../rollups/RollupTable.js"
import { messageRollupTable } from "../rollups/RollupTables.js"
import { splitAtQuarterHours } from "./SplitRange.js"

/**
 * SQL: the CTE `counted` with columns of a range's quarter hours (`quarter`) in the organization's time zone (`zone`).
 * Stored rows have the complete quarter hours from $2 to $3, and $4 has the events of incomplete ones at both ends.
 */
export const countedRange = (columns: string) => /* sql */ `
counted AS NOT MATERIALIZED (
  SELECT ${columns} FROM (SELECT timezone AS zone FROM organizations WHERE id = $1) AS o, rollup_messages
  WHERE organization_id = $1 AND quarter >= $2::timestamptz AND quarter < $3::timestamptz
  UNION ALL SELECT ${columns} FROM (SELECT timezone AS zone FROM organizations WHERE id = $1) AS o,
    ${rowsOf(messageRollupTable, "$4")}
)`

/** The parameters $1 to $4 of `countedRange`. */
export const rangeParameters = (sql: SqlClient.SqlClient, organization: OrganizationId, range: DateRange) => {
  const { complete, edges } = splitAtQuarterHours(range)
  return Effect.map(
    Effect.forEach(edges, (edge) => foldRange(sql, messageRollup, organization, edge)),
    (rows): ReadonlyArray<unknown> => [
      organization,
      DateTime.formatIso(complete.start),
      DateTime.formatIso(complete.end),
      rowParameter(messageRollupTable, rows.flat())
    ]
  )
}
