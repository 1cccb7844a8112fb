import type { SqlClient } from "@effect/sql"
import { type DateRange, dayMillis } from "@switchboard/domain/analytics/DateRange"
import { placeRollup } from "@switchboard/domain/analytics/PlaceRollup"
import type { TopParticipant } from "@switchboard/domain/analytics/TopParticipant"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { Recipients } from "@switchboard/services/analytics/AnalyticsRepo"
import { Array, DateTime, Duration, Effect } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { foldRange } from "../rollups/FoldedEvents.js"
import { rowParameter, rowsOf } from "../rollups/RollupTable.js"
import { placeRollupTable } from "../rollups/RollupTables.js"
import { splitAtDays, splitAtMonths, splitAtQuarterHours } from "./SplitRange.js"

const storedPlaces = (span: "quarter" | "day", from: string, until: string) => /* sql */ `
SELECT country, region, recipients FROM rollup_places WHERE organization_id = $1 AND span = '${span}'
  AND starts_at >= ${from}::timestamptz AND starts_at < ${until}::timestamptz`

/** The complete quarter hours from $2 to $3, of which those from $4 to $5 are complete days, and the rows of $6. */
const recipientsStatement = /* sql */ `
SELECT nullif(country, '') AS country, nullif(region, '') AS region, sum(recipients)::float8 AS count
FROM (
  ${storedPlaces("quarter", "$2", "$4")} UNION ALL ${storedPlaces("day", "$4", "$5")}
  UNION ALL ${storedPlaces("quarter", "$5", "$3")}
  UNION ALL SELECT country, region, recipients FROM ${rowsOf(placeRollupTable, "$6")} WHERE span = 'quarter'
) AS r GROUP BY 1, 2`

/** Recipients of outbound messages by place. Those of incomplete quarter hours have their present place. */
export const recipients = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  range: DateRange
) {
  const { complete: quarters, edges } = splitAtQuarterHours(range)
  const { complete } = splitAtDays(range)
  const days = DateTime.lessThan(complete.start, complete.end) ? complete : { start: quarters.end, end: quarters.end }
  const rows = yield* Effect.forEach(edges, (edge) => foldRange(sql, placeRollup, organization, edge))
  return yield* sql.unsafe<Recipients>(recipientsStatement, [
    organization,
    ...[quarters.start, quarters.end, days.start, days.end].map(DateTime.formatIso),
    rowParameter(placeRollupTable, rows.flat())
  ])
})

/**
 * The sums of the complete months from $2 to $3, of days of other months ($4), and of the messages of incomplete days
 * ($5), which are read in the index `messages_parties`.
 */
const topStatement = /* sql */ `
WITH ranked AS (
  SELECT participant_id, sum(messages) AS messages FROM (
    SELECT participant_id, messages FROM rollup_participants
    WHERE organization_id = $1 AND month >= $2::date AND month < $3::date
    UNION ALL SELECT r.participant_id, d.messages
    FROM json_to_recordset($4::json) AS g(month date, first_day integer, end_day integer)
      CROSS JOIN LATERAL (
        SELECT participant_id, days, day_messages FROM rollup_participants
        WHERE organization_id = $1 AND month = g.month OFFSET 0
      ) AS r
      CROSS JOIN LATERAL (
        SELECT sum(u.messages) AS messages FROM unnest(r.days, r.day_messages) AS u(day, messages)
        WHERE u.day >= g.first_day AND u.day < g.end_day
      ) AS d
    UNION ALL SELECT p.participant_id, 1
    FROM json_to_recordset($5::json) AS g(first_id uuid, end_id uuid)
      CROSS JOIN LATERAL (
        SELECT direction, from_participant_id, to_participant_ids FROM messages
        WHERE organization_id = $1 AND id >= g.first_id AND id < g.end_id OFFSET 0
      ) AS m
      CROSS JOIN LATERAL unnest(
        CASE m.direction WHEN 'inbound' THEN ARRAY[m.from_participant_id] ELSE m.to_participant_ids END
      ) AS p(participant_id)
  ) AS one GROUP BY 1 HAVING sum(messages) > 0 ORDER BY 2 DESC, 1 DESC LIMIT $6
)
SELECT r.participant_id AS "participantId", p.name, r.messages::float8 AS "messageCount", m.created_at AS "lastMessageAt"
FROM ranked AS r
  JOIN participants AS p ON p.organization_id = $1 AND p.id = r.participant_id
  CROSS JOIN LATERAL (
    SELECT message_id FROM message_participants
    WHERE organization_id = $1 AND participant_id = r.participant_id AND message_id < $7::uuid
    ORDER BY message_id DESC LIMIT 1
  ) AS last
  JOIN messages AS m ON m.organization_id = $1 AND m.id = last.message_id
ORDER BY r.messages DESC, r.participant_id DESC`

interface TopRow {
  readonly participantId: ParticipantId
  readonly name: string
  readonly messageCount: number
  readonly lastMessageAt: Date
}

/** The days of a range within a month. */
const daysOfMonth = (range: DateRange) => {
  const first = DateTime.getPartUtc(range.start, "day")
  const days = Duration.toMillis(DateTime.distanceDuration(range.start, range.end)) / dayMillis
  return {
    month: DateTime.formatIsoDateUtc(DateTime.startOf(range.start, "month")),
    first_day: first,
    end_day: first + days
  }
}

/** The participants with the most messages, most first, at most `limit`. */
export const topParticipants = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  range: DateRange,
  limit: number
) => {
  const { complete: days, edges } = splitAtDays(range)
  const { complete: months, edges: partialMonths } = splitAtMonths(days)
  return Effect.map(
    sql.unsafe<TopRow>(topStatement, [
      organization,
      ...[months.start, months.end].map(DateTime.formatIso),
      JSON.stringify(partialMonths.map(daysOfMonth)),
      JSON.stringify(edges.map(({ end, start }) => ({ first_id: firstIdAt(start), end_id: firstIdAt(end) }))),
      limit,
      firstIdAt(range.end)
    ]),
    Array.map(
      ({ lastMessageAt, ...row }): TopParticipant => ({ ...row, lastMessageAt: DateTime.unsafeFromDate(lastMessageAt) })
    )
  )
}
