import { ceilTo, quarterMillis } from "@switchboard/domain/analytics/DateRange"
import { type MessageRow, messageRollup } from "@switchboard/domain/analytics/MessageRollup"
import { BigDecimal, DateTime } from "effect"
import { mergedArrays, type RollupTable } from "./RollupTable.js"

/** The counts of messages. */
export const messageRollupTable: RollupTable<MessageRow> = {
  rollup: messageRollup,
  name: "rollup_messages",
  key: { organization_id: "uuid", quarter: "timestamptz", channel: "text" },
  sums: {
    accepted: "integer",
    sent: "integer",
    delivered: "integer",
    read: "integer",
    failed: "integer",
    bounced: "integer",
    refused: "integer",
    complained: "integer",
    received: "integer",
    cost: "numeric",
    responses: "integer",
    response_ms: "bigint"
  },
  others: {
    types: { latency_buckets: "smallint[]", latency_messages: "integer[]" },
    merged: mergedArrays("latency_buckets", "latency_messages")
  },
  record: ({ channel, cost, latencies, organizationId, quarter, responseMillis, ...counts }) => ({
    organization_id: organizationId,
    quarter: DateTime.formatIso(DateTime.unsafeMake(quarter)),
    channel,
    ...counts,
    cost: BigDecimal.format(cost),
    response_ms: responseMillis,
    latency_buckets: Object.keys(latencies),
    latency_messages: Object.values(latencies)
  }),
  time: { column: "quarter", after: (at) => ceilTo(quarterMillis, at), of: ({ quarter }) => quarter }
}
