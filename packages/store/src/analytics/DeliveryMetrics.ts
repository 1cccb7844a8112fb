import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryMetrics, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { json, objectText, time } from "../JsonText.js"
import { countedRange, rangeParameters } from "./CountedRange.js"

/** The local days from $5, or the day before it, to $6. */
const localDays = (
  before: string
) => `generate_series(date_trunc('day', $5::timestamptz AT TIME ZONE zone) - interval '${before}',
      ($6::timestamptz - interval '1 millisecond') AT TIME ZONE zone, '1 day') AS day`

/**
 * The starts of hours or days of a range: `date_trunc` of its quarter hours. A day in which the time changes by a part
 * of an hour has incomplete hours.
 */
const starts: Record<Granularity, string> = {
  day: `SELECT day AT TIME ZONE zone AS period FROM own, ${localDays("0 days")}`,
  hour: `SELECT DISTINCT period FROM own, ${localDays("1 day")}
      CROSS JOIN LATERAL (SELECT day AT TIME ZONE zone AS first, (day + interval '1 day') AT TIME ZONE zone AS next) AS d
      CROSS JOIN LATERAL (
        SELECT generate_series(first, next - interval '1 millisecond', '1 hour') AS period
        WHERE extract(epoch FROM next - first)::integer % 3600 = 0
        UNION ALL SELECT date_trunc('hour', generate_series(first, next - interval '1 millisecond', '15 minutes'), zone)
        WHERE extract(epoch FROM next - first)::integer % 3600 <> 0
      ) AS h
    WHERE period >= date_trunc('hour', $5::timestamptz, zone) AND period < $6::timestamptz`
}

/** The figures of a row of `sums AS s` with its percentiles `p`. */
const fields = {
  sent: json("coalesce(s.sent, 0)"),
  delivered: json("coalesce(s.delivered, 0)"),
  failed: json("coalesce(s.failed, 0)"),
  bounced: json("coalesce(s.bounced, 0)"),
  p50Ms: json("coalesce(p.p50, 0)"),
  p95Ms: json("coalesce(p.p95, 0)")
} satisfies Record<keyof DeliveryMetrics["totals"], unknown>

/**
 * One row per hour or day, and one for the complete range without a period. Periods consist of quarter hours, so none
 * is missing or counted twice at a change to or from daylight saving time. A percentile is the shortest latency
 * that at least this share of messages did not exceed.
 */
const statement = (granularity: Granularity) => /* sql */ `
WITH own AS (SELECT timezone AS zone FROM organizations WHERE id = $1), ${countedRange(
  `date_trunc('${granularity}', quarter, zone) AS period, sent, delivered, failed, bounced, latencies, latency_messages`
)}, sums AS (
  SELECT period, sum(sent) AS sent, sum(delivered) AS delivered, sum(failed) AS failed, sum(bounced) AS bounced
  FROM (
    SELECT period, 0 AS sent, 0 AS delivered, 0 AS failed, 0 AS bounced FROM (${starts[granularity]}) AS p
    WHERE date_bin('15 minutes', $5::timestamptz, '2000-01-01 00:00:00+00') < $6::timestamptz
    UNION ALL SELECT period, sent, delivered, failed, bounced FROM counted
  ) AS one GROUP BY GROUPING SETS ((period), ())
), histograms AS (
  SELECT period, ms, sum(messages) AS messages
  FROM counted CROSS JOIN LATERAL unnest(latencies, latency_messages) AS u(ms, messages) GROUP BY 1, 2
), percentiles AS (
  SELECT period, min(ms) FILTER (WHERE within >= total * 0.5) AS p50, min(ms) FILTER (WHERE within >= total * 0.95) AS p95
  FROM (
    SELECT period, ms, sum(messages) OVER (PARTITION BY period ORDER BY ms) AS within,
      sum(messages) OVER (PARTITION BY period) AS total
    FROM (
      SELECT * FROM histograms UNION ALL SELECT '-infinity', ms, sum(messages) FROM histograms GROUP BY ms
    ) AS h
  ) AS h GROUP BY period
)
SELECT '{"granularity":"${granularity}","series":[' || COALESCE(
  string_agg(${objectText({ timestamp: time("s.period"), ...fields })}, ',' ORDER BY s.period) FILTER (WHERE s.period IS NOT NULL),
  '') || '],"totals":' || max(${objectText(fields)}) FILTER (WHERE s.period IS NULL) || '}' AS metrics
FROM sums AS s LEFT JOIN percentiles AS p ON p.period = coalesce(s.period, '-infinity')`

const statements = { hour: statement("hour"), day: statement("day") }

/**
 * Delivery counts and latencies of each hour or day in the range, and of the complete range, as JSON text: decoding and
 * encoding thousands of entries would delay other requests by tens of milliseconds.
 */
export const deliveryMetrics = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  range: DateRange,
  granularity: Granularity
) {
  const parameters = yield* rangeParameters(sql, organization, range)
  const [row] = yield* sql.unsafe<{ readonly metrics: string }>(statements[granularity], [
    ...parameters,
    DateTime.formatIso(range.start),
    DateTime.formatIso(range.end)
  ])
  // An aggregate of all rows is one row.
  return row === undefined ? yield* Effect.dieMessage("No row of delivery metrics") : row.metrics
})
