import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryFigures, DeliveryMetrics, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { countedRange, rangeParameters, zone } from "./CountedRange.js"

/**
 * Every hour or day, and all of them as that of `-infinity`. Periods are found from quarters of hours: none is left out
 * or told twice when clocks are changed. A percentile is the shortest time within which so many were sent.
 */
const statement = /* sql */ `
WITH ${countedRange}, periods AS (
  SELECT DISTINCT date_trunc($5, quarter, ${zone}) AS period
  FROM generate_series(quarter_of($6::timestamptz), $7::timestamptz - interval '1 millisecond', '15 minutes') AS quarter
  UNION ALL SELECT '-infinity'
), sums AS (
  SELECT coalesce(period, '-infinity') AS period, sum(sent) AS sent, sum(delivered) AS delivered, sum(failed) AS failed,
    sum(bounced) AS bounced
  FROM (SELECT date_trunc($5, at, ${zone}) AS period, * FROM counted) AS c GROUP BY GROUPING SETS ((period), ())
), steps AS (
  SELECT period, ms, sum(messages) OVER (PARTITION BY period ORDER BY ms) AS within,
    sum(messages) OVER (PARTITION BY period) AS messages
  FROM (
    SELECT coalesce(period, '-infinity') AS period, ms, sum(messages) AS messages
    FROM (SELECT date_trunc($5, at, ${zone}) AS period, ms, messages FROM timed) AS t
    GROUP BY GROUPING SETS ((period, ms), (ms))
  ) AS t
), percentiles AS (
  SELECT period, min(ms) FILTER (WHERE within >= messages * 0.5) AS p50, min(ms) FILTER (WHERE within >= messages * 0.95)
    AS p95
  FROM steps GROUP BY period
)
SELECT NULLIF(period, '-infinity') AS period, coalesce(sent, 0)::float8 AS sent, coalesce(delivered, 0)::float8 AS
  delivered, coalesce(failed, 0)::float8 AS failed, coalesce(bounced, 0)::float8 AS bounced,
  coalesce(p50, 0)::float8 AS "p50Ms", coalesce(p95, 0)::float8 AS "p95Ms"
FROM periods LEFT JOIN sums USING (period) LEFT JOIN percentiles USING (period)
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
