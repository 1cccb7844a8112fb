import { type ParticipantRow, participantRollup } from "@switchboard/domain/analytics/ParticipantRollup"
import { DateTime } from "effect"
import { monthAfter } from "../analytics/SplitRange.js"
import { mergedArrays, type RollupTable } from "./RollupTable.js"

/** The messages of participants. */
export const participantRollupTable: RollupTable<ParticipantRow> = {
  rollup: participantRollup,
  name: "rollup_participants",
  key: { organization_id: "uuid", month: "date", participant_id: "uuid" },
  sums: { messages: "integer" },
  others: { types: { days: "smallint[]", day_messages: "integer[]" }, merged: mergedArrays("days", "day_messages") },
  record: ({ days, messages, month, organizationId, participantId }) => ({
    organization_id: organizationId,
    month: DateTime.formatIsoDateUtc(DateTime.unsafeMake(month)),
    participant_id: participantId,
    messages,
    days: Object.keys(days),
    day_messages: Object.values(days)
  }),
  time: {
    column: "month",
    after: (at) => DateTime.toEpochMillis(monthAfter(DateTime.unsafeMake(at))),
    of: ({ month }) => month
  }
}
