import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { DateTime } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { wholeQuarters } from "./WholeQuarters.js"

/**
 * An event's id is made when it is written: a moment after what it tells, or, where the database could not be reached,
 * once it can. A step of the clock may put it before.
 */
const idsBefore = "1 minute"
const idsAfter = "15 minutes"

const columns = `channel, accepted, sent, delivered, read, failed, bounced, refused, complained, received, cost,
  responses, response_ms`

/**
 * The part of a statement that has what was counted in a range: `counted`, rows of counts with when that was. Whole
 * quarters of hours are kept, $2 to $3, but for what was counted in the last seconds, which is added (`latest`); of a
 * quarter that is not whole, the events themselves are counted, a range of ids (`edge`).
 */
export const countedRange = /* sql */ `
edge AS MATERIALIZED (
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
  SELECT quarter AS at, ${columns} FROM message_counts
  WHERE organization_id = $1 AND quarter >= $2::timestamptz AND quarter < $3::timestamptz
  UNION ALL SELECT quarter, ${columns} FROM latest
  UNION ALL SELECT at, ${columns} FROM edge
)`

/** The zone that hours and days are of. */
export const zone = "(SELECT timezone FROM organizations WHERE id = $1)"

/** The parameters that `countedRange` reads, $1 to $4. */
export const rangeParameters = (organization: OrganizationId, range: DateRange): ReadonlyArray<unknown> => {
  const { edges, whole } = wholeQuarters(range)
  return [
    organization,
    DateTime.formatIso(whole.start),
    DateTime.formatIso(whole.end),
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
