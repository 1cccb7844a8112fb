import { quarterMillis } from "@switchboard/domain/analytics/DateRange"
import { type MessageRow, messageRollup } from "@switchboard/domain/analytics/MessageRollup"
import { BigDecimal, DateTime } from "effect"
import type { RollupTable } from "./RollupTable.js"

/** The stored row and the new row as one histogram. */
const mergedLatencies = /* sql */ `(latency_buckets, latency_messages) = (
  SELECT coalesce(array_agg(bucket ORDER BY bucket), '{}'), coalesce(array_agg(messages ORDER BY bucket), '{}') FROM (
    SELECT bucket, sum(messages)::integer AS messages FROM (
      SELECT * FROM unnest(t.latency_buckets, t.latency_messages) AS stored(bucket, messages)
      UNION ALL SELECT * FROM unnest(excluded.latency_buckets, excluded.latency_messages)
    ) AS one GROUP BY bucket
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
  others: { types: { latency_buckets: "smallint[]", latency_messages: "integer[]" }, merged: mergedLatencies },
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
  time: { column: "quarter", length: quarterMillis, of: ({ quarter }) => quarter }
}
