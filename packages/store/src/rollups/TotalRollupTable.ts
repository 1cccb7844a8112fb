import { type TotalRow, totalRollup } from "@switchboard/domain/analytics/TotalRollup"
import type { RollupTable } from "./RollupTable.js"

/** The totals of messages. They have no periods: a rebuild needs all events. */
export const totalRollupTable: RollupTable<TotalRow> = {
  rollup: totalRollup,
  name: "rollup_totals",
  key: { organization_id: "uuid", kind: "text" },
  sums: { messages: "bigint" },
  record: ({ kind, messages, organizationId }) => ({ organization_id: organizationId, kind, messages }),
  time: null
}
