import type { SqlClient } from "@effect/sql"
import { type DateRange, quarterOf } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryFigures, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import { LatencyHistogram } from "@switchboard/domain/analytics/LatencyHistogram"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime, Duration, Effect } from "effect"
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

/**
 * The counts and latencies of each hour or day, in one row per quarter hour and channel; one without counts if there are
 * none. Periods consist of quarter hours, so none is missing or counted twice at a change to or from daylight saving time.
 */
const statement = (granularity: Granularity) => /* sql */ `
WITH own AS (SELECT timezone AS zone FROM organizations WHERE id = $1), ${countedRange(
  `date_trunc('${granularity}', quarter, zone) AS period, sent, delivered, failed, bounced,
    latency_buckets::text AS buckets, latency_messages::text AS messages`
)}
SELECT (extract(epoch FROM period) * 1000)::float8 AS at, coalesce(sent, 0) AS sent, coalesce(delivered, 0) AS delivered, coalesce(failed, 0) AS failed,
  coalesce(bounced, 0) AS bounced, coalesce(buckets, '{}') AS buckets, coalesce(messages, '{}') AS messages
FROM (${starts[granularity]}) AS p LEFT JOIN counted USING (period)
WHERE date_bin('15 minutes', $5::timestamptz, '2000-01-01 00:00:00+00') < $6::timestamptz
ORDER BY period`

const statements = { hour: statement("hour"), day: statement("day") }

interface Row {
  /** The start of the period, in milliseconds since 1970: the driver is slow at dates. */
  readonly at: number
  readonly sent: number
  readonly delivered: number
  readonly failed: number
  readonly bounced: number
  /** Arrays of PostgreSQL, which JSON decodes faster than the driver. */
  readonly buckets: string
  readonly messages: string
}

const noCounts = { sent: 0, delivered: 0, failed: 0, bounced: 0 }

const numbersOf = (array: string): ReadonlyArray<number> => JSON.parse(`[${array.slice(1, -1)}]`)

const countsOf = ({ bounced, delivered, failed, sent }: Row) => ({ sent, delivered, failed, bounced })

/** Sums of counts and latencies. */
class Sums {
  private counts: ReturnType<typeof countsOf> = noCounts
  private readonly latencies = new LatencyHistogram()

  addRow(row: Row) {
    this.addCounts(countsOf(row))
    const buckets = numbersOf(row.buckets)
    const messages = numbersOf(row.messages)
    for (const [place, bucket] of buckets.entries()) this.latencies.add(bucket, messages[place] ?? 0)
  }

  add({ counts, latencies }: Sums) {
    this.addCounts(counts)
    this.latencies.addAll(latencies)
  }

  clear() {
    this.counts = noCounts
    this.latencies.clear()
  }

  get figures(): DeliveryFigures {
    return { ...this.counts, p50Ms: this.latencies.percentile(0.5), p95Ms: this.latencies.percentile(0.95) }
  }

  private addCounts({ bounced, delivered, failed, sent }: typeof noCounts) {
    this.counts = {
      sent: this.counts.sent + sent,
      delivered: this.counts.delivered + delivered,
      failed: this.counts.failed + failed,
      bounced: this.counts.bounced + bounced
    }
  }
}

/** A year has millions of latencies: decoding those of this time takes a few milliseconds. */
const pageLength = Duration.days(10)

/**
 * Delivery counts and latencies of each hour or day in the range, and of the complete range, as JSON text: encoding
 * thousands of entries at once would delay other requests by tens of milliseconds.
 */
export const deliveryMetrics = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  range: DateRange,
  granularity: Granularity
) {
  const totals = new Sums()
  const series: Array<string> = []
  const sums = new Sums()
  let period: number | null = null
  const endPeriod = () => {
    if (period !== null)
      series.push(JSON.stringify({ timestamp: DateTime.formatIso(DateTime.unsafeMake(period)), ...sums.figures }))
    totals.add(sums)
    sums.clear()
  }
  for (let { start } = range; ; ) {
    const end = DateTime.min(range.end, quarterOf(DateTime.addDuration(start, pageLength)))
    const rows = yield* sql.unsafe<Row>(statements[granularity], [
      ...(yield* rangeParameters(sql, organization, { start, end })),
      DateTime.formatIso(start),
      DateTime.formatIso(end)
    ])
    for (const row of rows) {
      if (row.at !== period) {
        endPeriod()
        period = row.at
      }
      sums.addRow(row)
    }
    start = end
    if (DateTime.greaterThanOrEqualTo(start, range.end)) break
  }
  endPeriod()
  return `{"granularity":"${granularity}","series":[${series.join(",")}],"totals":${JSON.stringify(totals.figures)}}`
})
