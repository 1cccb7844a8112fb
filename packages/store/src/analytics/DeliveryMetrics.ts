import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryMetrics, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Effect } from "effect"
import { json, objectText, time } from "../JsonText.js"
import { periods, type Rows, type Span } from "./CompletePeriods.js"
import { channelCounts, countedRange, rangeParameters } from "./CountedRange.js"

const buckets = "u.bucket, u.messages"

/** Counts with the start of their hour or day, and its percentiles if they are stored. */
const figures = (period: string, p50 = "NULL::bigint", p95 = "NULL::bigint") =>
  `${period} AS period, sent, delivered, failed, bounced, ${p50} AS p50, ${p95} AS p95`

const storedHour = (percentile: string) => `(
        SELECT ${percentile} FROM latency_histograms AS l
        WHERE l.organization_id = $1 AND l.span = 'hour' AND l.starts_at = message_periods.starts_at
      )`

const days: Record<Granularity, string> = {
  hour: "h.*",
  day: "starts_at AS period, h.sent, h.delivered, h.failed, h.bounced, p50, p95"
}

const figuresOf = (granularity: Granularity, span: Span | "quarter"): Rows =>
  span === "day"
    ? {
        from: `message_days CROSS JOIN LATERAL unnest(hours, sent, delivered, failed, bounced, hour_p50, hour_p95)
          AS h(period, sent, delivered, failed, bounced, hour_p50, hour_p95)`,
        at: "starts_at",
        columns: days[granularity]
      }
    : channelCounts(
        span,
        span === granularity
          ? figures("starts_at", storedHour("p50"), storedHour("p95"))
          : figures(`date_trunc('${granularity}', ${span === "quarter" ? "quarter" : "starts_at"}, zone)`)
      )

/** The tables of latencies by bucket. `message_latencies` has those of quarter hours whose periods are not built. */
const histograms = (span: Span | "quarter"): ReadonlyArray<Rows> => [
  {
    from: "latency_histograms, unnest(buckets, latency_histograms.messages) AS u(bucket, messages)",
    at: "starts_at",
    columns: buckets,
    where: `span = '${span}'`
  },
  ...(span === "quarter"
    ? [
        {
          from: "message_latencies AS l, LATERAL (SELECT latency_bucket(l.ms), l.messages) AS u(bucket, messages)",
          at: "quarter",
          columns: buckets
        }
      ]
    : [])
]

/** The percentiles of latencies by bucket (`t`) for each period. */
const percentiles = (latencies: string) => /* sql */ `
  SELECT period, bucket_latency(min(bucket) FILTER (WHERE within >= total * 0.5::float8)) AS p50,
    bucket_latency(min(bucket) FILTER (WHERE within >= total * 0.95::float8)) AS p95
  FROM (
    SELECT period, bucket, sum(sum(messages)) OVER (PARTITION BY period ORDER BY bucket) AS within,
      sum(sum(messages)) OVER (PARTITION BY period) AS total
    FROM (${latencies}) AS t GROUP BY period, bucket
  ) AS t GROUP BY period`

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
  day: `SELECT day AT TIME ZONE zone AS period FROM complete, ${localDays("0 days")}`,
  hour: `SELECT DISTINCT period FROM complete, ${localDays("1 day")}
      CROSS JOIN LATERAL (SELECT day AT TIME ZONE zone AS first, (day + interval '1 day') AT TIME ZONE zone AS next) AS d
      CROSS JOIN LATERAL (
        SELECT generate_series(first, next - interval '1 millisecond', '1 hour') AS period
        WHERE extract(epoch FROM next - first)::integer % 3600 = 0
        UNION ALL SELECT date_trunc('hour', generate_series(first, next - interval '1 millisecond', '15 minutes'), zone)
        WHERE extract(epoch FROM next - first)::integer % 3600 <> 0
      ) AS h
    WHERE period >= date_trunc('hour', $5::timestamptz, zone) AND period < $6::timestamptz`
}

const percentile = (name: string) =>
  json(`coalesce(CASE WHEN s.period IS NULL THEN o.${name} ELSE coalesce(c.${name}, s.${name}) END, 0)`)

/** The figures of a row of `sums AS s`. */
const fields = {
  sent: json("coalesce(s.sent, 0)"),
  delivered: json("coalesce(s.delivered, 0)"),
  failed: json("coalesce(s.failed, 0)"),
  bounced: json("coalesce(s.bounced, 0)"),
  p50Ms: percentile("p50"),
  p95Ms: percentile("p95")
} satisfies Record<keyof DeliveryMetrics["totals"], unknown>

/**
 * One row per hour or day, and one for the complete range without a period. Periods consist of quarter hours, so none
 * is missing or counted twice at a change to or from daylight saving time. A percentile is the shortest latency
 * that at least this share of messages did not exceed. Stored percentiles are used for complete periods, and
 * histograms for the others and for the complete range.
 */
const statement = (granularity: Granularity) => /* sql */ `
WITH ${countedRange(
  "day",
  (span) => figuresOf(granularity, span),
  (at) => figures(`date_trunc('${granularity}', ${at}, zone)`)
)}, fresh AS MATERIALIZED (
  SELECT 'quarter' AS span, quarter AS at, latency_bucket(ms) AS bucket, 1 AS messages FROM latest, unnest(latencies) AS ms
  UNION ALL SELECT 'quarter', at, latency_bucket(latency), 1 FROM edge WHERE latency IS NOT NULL
), partial AS MATERIALIZED (
  SELECT date_trunc('${granularity}', at, zone) AS period, bucket, messages FROM complete, (
    SELECT * FROM fresh
    UNION ALL SELECT * FROM (
      ${periods(granularity, (span) => (span === granularity ? [] : histograms(span)))}
    ) AS shorter
  ) AS one
), computed AS (${percentiles(`
  SELECT * FROM partial
  UNION ALL SELECT p.period, u.bucket, u.messages FROM (SELECT DISTINCT period FROM partial) AS p
    JOIN complete ON p.period >= ${granularity}_first AND p.period < ${granularity}_end
    CROSS JOIN LATERAL (
      SELECT ${buckets} FROM latency_histograms AS h, unnest(h.buckets, h.messages) AS u(bucket, messages)
      WHERE h.organization_id = $1 AND h.span = '${granularity}' AND h.starts_at = p.period OFFSET 0
    ) AS u`)}
), overall AS (${percentiles(`
  SELECT NULL::timestamptz AS period, bucket, messages FROM fresh
  UNION ALL SELECT NULL, bucket, messages FROM (
    ${periods("month", histograms)}
  ) AS stored`)}
), sums AS (
  SELECT period, sum(sent) AS sent, sum(delivered) AS delivered, sum(failed) AS failed, sum(bounced) AS bounced,
    max(p50) AS p50, max(p95) AS p95
  FROM (
    SELECT period, 0 AS sent, 0 AS delivered, 0 AS failed, 0 AS bounced, NULL::bigint AS p50, NULL::bigint AS p95
    FROM (${starts[granularity]}) AS p WHERE quarter_of($5::timestamptz) < $6::timestamptz
    UNION ALL SELECT period, sent, delivered, failed, bounced, p50, p95 FROM counted
  ) AS one GROUP BY GROUPING SETS ((period), ())
)
SELECT '{"granularity":"${granularity}","series":[' || COALESCE(
  string_agg(${objectText({ timestamp: time("s.period"), ...fields })}, ',' ORDER BY s.period) FILTER (WHERE s.period IS NOT NULL),
  '') || '],"totals":' || max(${objectText(fields)}) FILTER (WHERE s.period IS NULL) || '}' AS metrics
FROM sums AS s
  LEFT JOIN computed AS c ON c.period = s.period
  LEFT JOIN overall AS o ON true`

const statements = { hour: statement("hour"), day: statement("day") }

/**
 * Delivery counts and latencies of each hour or day in the range, and of the complete range, as JSON text: decoding and
 * encoding thousands of entries would delay other requests by tens of milliseconds.
 */
export const deliveryMetrics = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  range: DateRange,
  granularity: Granularity
) =>
  Effect.flatMap(
    sql.unsafe<{ readonly metrics: string }>(statements[granularity], [
      ...rangeParameters(organization, range),
      DateTime.formatIso(range.start),
      DateTime.formatIso(range.end)
    ]),
    // An aggregate of all rows is one row.
    ([row]) => (row === undefined ? Effect.dieMessage("No row of delivery metrics") : Effect.succeed(row.metrics))
  )
