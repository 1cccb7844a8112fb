import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryFigures, DeliveryMetrics, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { countedRange, rangeParameters, zone } from "./CountedRange.js"

/**
 * Every hour or day, and all of them as that of `-infinity`. Periods are found from quarters of hours: none is left out
 * or told twice when clocks are changed. A percentile is the shortest time within which so many were sent; each period
 * looks up its own range of times, since to sort those of a year takes longer than anybody waits.
 */
const statement = /* sql */ `
WITH ${countedRange}, times AS MATERIALIZED (
  SELECT quarter, ms, count(*)::float8 AS messages FROM (
    SELECT quarter, rounded_latency(ms) AS ms FROM latest, unnest(latencies) AS ms
    UNION ALL SELECT quarter_of(at), rounded_latency(latency) FROM edge WHERE latency IS NOT NULL
  ) AS one GROUP BY 1, 2
), sums AS MATERIALIZED (
  SELECT coalesce(period, '-infinity') AS period, min(quarter) AS first, max(quarter) AS last, sum(sent) AS sent,
    sum(delivered) AS delivered, sum(failed) AS failed, sum(bounced) AS bounced
  FROM (
    SELECT date_trunc($5, quarter, ${zone}) AS period, quarter, 0 AS sent, 0 AS delivered, 0 AS failed, 0 AS bounced
    FROM generate_series(quarter_of($6::timestamptz), $7::timestamptz - interval '1 millisecond', '15 minutes') AS quarter
    UNION ALL
    SELECT date_trunc($5, at, ${zone}), quarter_of(at), sent, delivered, failed, bounced FROM counted
  ) AS one GROUP BY GROUPING SETS ((period), ())
)
SELECT NULLIF(period, '-infinity') AS period, coalesce(sent, 0)::float8 AS sent, coalesce(delivered, 0)::float8 AS
  delivered, coalesce(failed, 0)::float8 AS failed, coalesce(bounced, 0)::float8 AS bounced,
  coalesce(p50, 0)::float8 AS "p50Ms", coalesce(p95, 0)::float8 AS "p95Ms"
FROM sums CROSS JOIN LATERAL (
  SELECT min(ms) FILTER (WHERE within >= messages * 0.5::float8) AS p50,
    min(ms) FILTER (WHERE within >= messages * 0.95::float8) AS p95
  FROM (
    SELECT ms, sum(messages) OVER (ORDER BY ms) AS within, sum(messages) OVER () AS messages FROM (
      SELECT ms, sum(messages) AS messages FROM (
        SELECT ms, messages::float8 FROM message_latencies
        WHERE organization_id = $1 AND quarter BETWEEN first AND last
          AND quarter >= $2::timestamptz AND quarter < $3::timestamptz
        UNION ALL SELECT ms, messages FROM times WHERE quarter BETWEEN first AND last
      ) AS t GROUP BY ms
    ) AS t
  ) AS t
) AS percentiles
ORDER BY period`

const none: DeliveryFigures = { sent: 0, delivered: 0, failed: 0, bounced: 0, p50Ms: 0, p95Ms: 0 }

/** How delivery went in every hour or day that has a part in the range, and in all of it. */
export const deliveryPeriods = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  range: DateRange,
  granularity: Granularity
) =>
  Effect.map(
    sql.unsafe<DeliveryFigures & { readonly period: Date | null }>(statement, [
      ...rangeParameters(organization, range),
      granularity,
      DateTime.formatIso(range.start),
      DateTime.formatIso(range.end)
    ]),
    (rows) => {
      const series: Array<DeliveryMetrics["series"][number]> = []
      let totals = none
      for (const { period, ...figures } of rows) {
        if (period === null) totals = figures
        else series.push({ timestamp: DateTime.unsafeFromDate(period), ...figures })
      }
      return { series, totals }
    }
  )
