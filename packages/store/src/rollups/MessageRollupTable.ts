import { quarterMillis } from "@switchboard/domain/analytics/DateRange"
import { type MessageRow, messageRollup } from "@switchboard/domain/analytics/MessageRollup"
import { BigDecimal, DateTime } from "effect"
import type { RollupTable } from "./RollupTable.js"

/** The stored row and the new row as one histogram. */
const mergedLatencies = /* sql */ `(latencies, latency_messages) = (
  SELECT coalesce(array_agg(ms ORDER BY ms), '{}'), coalesce(array_agg(messages ORDER BY ms), '{}') FROM (
    SELECT ms, sum(messages)::integer AS messages FROM (
      SELECT * FROM unnest(t.latencies, t.latency_messages) AS stored(ms, messages)
      UNION ALL SELECT * FROM unnest(excluded.latencies, excluded.latency_messages)
    ) AS one GROUP BY ms
  ) AS summed
)`

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
  others: { types: { latencies: "bigint[]", latency_messages: "integer[]" }, merged: mergedLatencies },
  record: ({ channel, cost, latencies, organizationId, quarter, responseMillis, ...counts }) => ({
    organization_id: organizationId,
    quarter: DateTime.formatIso(DateTime.unsafeMake(quarter)),
    channel,
    ...counts,
    cost: BigDecimal.format(cost),
    response_ms: responseMillis,
    latencies: Object.keys(latencies),
    latency_messages: Object.values(latencies)
  }),
  time: { column: "quarter", startAfter: (millis) => Math.ceil(millis / quarterMillis) * quarterMillis }
}
