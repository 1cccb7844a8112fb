import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { complete, periods, type Rows, type Span } from "./CompletePeriods.js"
import { splitAtQuarterHours } from "./SplitRange.js"

/**
 * Margins for finding events by id: an event's id is created at or after the time of the event (later while the
 * database is unreachable), and a clock correction can put it before.
 */
const idsBefore = "1 minute"
const idsAfter = "15 minutes"

/**
 * The CTE `counted` with the counts of a range and their times. Complete quarter hours from $2 to $3 come from stored
 * counts, of periods up to `top`, and from `message_count_changes`, which are not merged yet (`latest`). At the
 * incomplete quarter hours at both ends, events are counted, found by a range of ids (`edge`).
 */
export const countedRange = (
  top: "day" | "month",
  rowsOf: (span: Span | "quarter") => Rows,
  columnsOf: (at: string) => string
) => /* sql */ `
${complete}, edge AS MATERIALIZED (
  SELECT e.created_at AS at, c.*
  FROM json_to_recordset($4::json) AS g(start_at timestamptz, end_at timestamptz, first_id uuid, end_id uuid)
    CROSS JOIN LATERAL (
      SELECT * FROM events AS e WHERE e.organization_id = $1 AND e.id >= g.first_id AND e.id < g.end_id
        AND e.created_at >= g.start_at AND e.created_at < g.end_at AND is_counted(e.type) OFFSET 0
    ) AS e
    CROSS JOIN LATERAL counted_event(e.organization_id, e.type, e.subject_id, e.created_at) AS c
), latest AS MATERIALIZED (
  SELECT * FROM message_count_changes
  WHERE organization_id = $1 AND quarter >= $2::timestamptz AND quarter < $3::timestamptz
), counted AS (
  ${periods(top, (span) => [rowsOf(span)])}
  UNION ALL SELECT 'quarter', quarter, ${columnsOf("quarter")} FROM complete, latest
  UNION ALL SELECT 'quarter', at, ${columnsOf("at")} FROM complete, edge
)`

/** The stored counts of channels by quarter hour, hour, day or month. */
export const channelCounts = (span: Span | "quarter", columns: string): Rows =>
  span === "quarter"
    ? { from: "message_counts", at: "quarter", columns }
    : { from: "message_periods", at: "starts_at", columns, where: `span = '${span}'` }

/** The parameters $1 to $4 of `countedRange`. */
export const rangeParameters = (organization: OrganizationId, range: DateRange): ReadonlyArray<unknown> => {
  const { complete: quarters, edges } = splitAtQuarterHours(range)
  return [
    organization,
    DateTime.formatIso(quarters.start),
    DateTime.formatIso(quarters.end),
    JSON.stringify(
      edges.map(({ end, start }) => ({
        start_at: DateTime.formatIso(start),
        end_at: DateTime.formatIso(end),
        first_id: firstIdAt(DateTime.subtractDuration(start, idsBefore)),
        end_id: firstIdAt(DateTime.addDuration(end, idsAfter))
      }))
    )
  ]
}
