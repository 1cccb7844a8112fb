const spans = ["hour", "day", "month"] as const

/** The periods of counts and latencies, besides quarter hours. */
type Span = (typeof spans)[number]

/** From the start of any period, leads into the next one. */
const steps: Record<Span, string> = { hour: "90 minutes", day: "36 hours", month: "32 days" }

/** The start of a period can differ from its first quarter hour at a change of daylight saving time. */
const slack = "interval '2 hours'"

/** The start of the first period of a span that begins at $2 or later. */
const firstStart = (span: Span) =>
  `date_trunc('${span}', date_trunc('${span}', $2::timestamptz - interval '15 minutes', zone)
    + interval '${steps[span]}', zone)`

/**
 * The CTE `complete` with one row: the time zone of periods (UTC), and for each span the starts of the first period and
 * after the last one that is completely within $2 and $3.
 */
export const completeUtc = /* sql */ `
complete AS MATERIALIZED (
  SELECT zone, ${spans
    .map((span) => `${firstStart(span)} AS ${span}_first, date_trunc('${span}', $3::timestamptz, zone) AS ${span}_end`)
    .join(", ")}
  FROM (SELECT 'UTC' AS zone) AS own
)`

/** Columns of a table's rows by time; `at` is the column of the time. */
interface Rows {
  readonly from: string
  readonly at: string
  readonly columns: string
  readonly where?: string
}

/**
 * Reads each quarter hour from $2 to $3 once, with its `span`, `at` and columns: periods of `top`, and at both ends
 * shorter ones. `rowsOf` returns the tables of a span.
 */
export const periods = (top: Span, rowsOf: (span: Span | "quarter") => ReadonlyArray<Rows>): string => {
  const levels = ["quarter", ...spans.slice(0, spans.indexOf(top) + 1)] as const
  return levels
    .flatMap((span, index) => {
      const longer = levels.slice(index + 1)
      const [first, end] =
        span === "quarter" ? ["$2::timestamptz", "$3::timestamptz"] : [`${span}_first`, `${span}_end`]
      const [next] = longer
      // Without longer periods, the first part is complete and the second part is empty.
      const parts =
        next === undefined
          ? `(${first}, ${end})`
          : `(${first}, CASE WHEN ${next}_first < ${next}_end THEN least(${end}, ${next}_first + ${slack}) ELSE ${end} END),
        (CASE WHEN ${next}_first < ${next}_end THEN greatest(${next}_first + ${slack}, ${next}_end - ${slack}) ELSE ${end} END, ${end})`
      const within = longer.map(
        (one) =>
          `AND NOT (date_trunc('${one}', at, zone) >= ${one}_first AND date_trunc('${one}', at, zone) < ${one}_end)`
      )
      return rowsOf(span).map(
        ({ at, columns, from, where = "true" }) => `SELECT r.* FROM complete
      CROSS JOIN LATERAL (VALUES ${parts}) AS part(first_at, end_at)
      CROSS JOIN LATERAL (
        SELECT '${span}' AS span, ${at} AS at, ${columns} FROM ${from} WHERE organization_id = $1 AND ${where}
          AND ${at} >= part.first_at AND ${at} < part.end_at OFFSET 0
      ) AS r WHERE true ${within.join(" ")}`
      )
    })
    .join("\n  UNION ALL ")
}
