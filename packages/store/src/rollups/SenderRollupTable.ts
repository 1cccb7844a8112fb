import { ceilTo, dayMillis } from "@switchboard/domain/analytics/DateRange"
import { type SenderRow, senderRollup } from "@switchboard/domain/analytics/SenderRollup"
import { DateTime } from "effect"
import type { RollupTable } from "./RollupTable.js"

/** The outcomes of senders' messages. */
export const senderRollupTable: RollupTable<SenderRow> = {
  rollup: senderRollup,
  name: "rollup_senders",
  key: { organization_id: "uuid", sender_id: "uuid", day: "date" },
  sums: { sent: "integer", bounced: "integer", complained: "integer" },
  record: ({ bounced, complained, day, organizationId, senderId, sent }) => ({
    organization_id: organizationId,
    sender_id: senderId,
    day: DateTime.formatIsoDateUtc(DateTime.unsafeMake(day)),
    sent,
    bounced,
    complained
  }),
  time: { column: "day", after: (at) => ceilTo(dayMillis, at), of: ({ day }) => day }
}
