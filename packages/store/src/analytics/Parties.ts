import type { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { TopParticipant } from "@switchboard/domain/analytics/TopParticipant"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import type { Recipients } from "@switchboard/services/analytics/AnalyticsRepo"
import { requestTimeout } from "@switchboard/services/RequestDeadline"
import { Array, DateTime, Effect, identity } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { completeUtc, periods } from "./CompletePeriods.js"
import { type SplitRange, splitAtDays, splitAtQuarterHours } from "./SplitRange.js"

/**
 * The CTE `fresh` with the numbers of messages by participant that are not in stored periods: in the edges of the range
 * ($4), of messages in the index `messages_parties`, and from $2 to $3 of parties that are not merged yet.
 */
const fresh = (messages: string, changes: string) => /* sql */ `
fresh AS MATERIALIZED (
  SELECT participant_id, sum(number) AS number FROM (
    SELECT p.participant_id, 1 AS number
    FROM json_to_recordset($4::json) AS g(first_id uuid, end_id uuid)
      CROSS JOIN LATERAL (
        SELECT direction, from_participant_id, to_participant_ids FROM messages
        WHERE organization_id = $1 AND id >= g.first_id AND id < g.end_id AND ${messages} OFFSET 0
      ) AS m
      CROSS JOIN LATERAL
        unnest(parties_of(m.direction, m.from_participant_id, m.to_participant_ids)) AS p(participant_id)
    UNION ALL SELECT p.participant_id, c.number
    FROM message_party_changes AS c CROSS JOIN LATERAL unnest(c.participants) AS p(participant_id)
    WHERE c.organization_id = $1 AND c.quarter >= $2::timestamptz AND c.quarter < $3::timestamptz AND ${changes}
  ) AS one GROUP BY 1
)`

const parameters = (organization: OrganizationId, { complete, edges }: SplitRange): ReadonlyArray<unknown> => [
  organization,
  DateTime.formatIso(complete.start),
  DateTime.formatIso(complete.end),
  JSON.stringify(edges.map(({ end, start }) => ({ first_id: firstIdAt(start), end_id: firstIdAt(end) })))
]

const recipientsStatement = /* sql */ `
WITH ${completeUtc}, ${fresh("direction = 'outbound'", "c.is_outbound")}
SELECT nullif(country, '') AS country, nullif(region, '') AS region, sum(recipients)::float8 AS count
FROM (
  SELECT country, region, recipients FROM (
    ${periods("month", (span) => [
      {
        from: "place_periods",
        at: "starts_at",
        columns: "country, region, recipients",
        where: `span = '${span}'`
      }
    ])}
  ) AS stored
  UNION ALL SELECT coalesce(p.country, ''), coalesce(p.region, ''), f.number
  FROM fresh AS f LEFT JOIN LATERAL (
    SELECT country, region FROM participant_places WHERE organization_id = $1 AND participant_id = f.participant_id OFFSET 0
  ) AS p ON true
) AS r GROUP BY 1, 2 HAVING sum(recipients) <> 0`

/** Recipients of outbound messages by place. */
export const recipients = (sql: SqlClient.SqlClient, organization: OrganizationId, range: DateRange) =>
  sql.unsafe<Recipients>(recipientsStatement, parameters(organization, splitAtQuarterHours(range)))

/**
 * The numbers of participants by rank in a list that one statement reads, until the result is certain. After the last
 * one, all participants of the range are summed; if that takes too long, the result stays uncertain.
 */
const depths = [32, 256] as const

/** The part of a request's time for summing all participants, in milliseconds. */
const sumTimeout = requestTimeout * 0.5

/** Common table expressions: the months of the range, and the first and last days that they have in it. */
const months = /* sql */ `
days AS MATERIALIZED (
  SELECT first, until, date_trunc('month', first + interval '1 month' - interval '1 day')::date AS first_month,
    date_trunc('month', until)::date AS end_month
  FROM (SELECT $2::timestamptz AT TIME ZONE 'UTC' AS first, $3::timestamptz AT TIME ZONE 'UTC' AS until) AS d
), months AS MATERIALIZED (
  SELECT month::date AS month, NOT (month >= first_month AND month < end_month) AS is_partial
  FROM days CROSS JOIN LATERAL
    generate_series(date_trunc('month', first), until - interval '1 day', '1 month') AS month
  WHERE first < until
)`

/** The number of messages on the days of the range in a month `m` that is partly in it. */
const partialSum = `
  SELECT sum(u.number) AS messages FROM unnest(m.days, m.counts) AS u(day, number)
  WHERE m.month + u.day - 1 >= d.first AND m.month + u.day - 1 < d.until`

/** The first $5 of the participants in `ranked`, each row with `other`: the most messages that one outside it can have. */
const topOf = (ranked: string) => /* sql */ `
WITH ${fresh("true", "true")}, ${months}, ${ranked}
SELECT r.participant_id AS "participantId", p.name, r.messages::float8 AS "messageCount", m.created_at AS "lastMessageAt",
  o.messages::float8 AS other
FROM other AS o LEFT JOIN (
    SELECT * FROM ranked WHERE messages > 0 ORDER BY messages DESC, participant_id DESC LIMIT $5
  ) AS r ON true
  LEFT JOIN participants AS p ON p.organization_id = $1 AND p.id = r.participant_id
  LEFT JOIN LATERAL (
    SELECT message_id FROM message_participants
    WHERE organization_id = $1 AND participant_id = r.participant_id AND message_id < $6::uuid
    ORDER BY message_id DESC LIMIT 1
  ) AS last ON true
  LEFT JOIN messages AS m ON m.organization_id = $1 AND m.id = last.message_id
ORDER BY r.messages DESC, r.participant_id DESC`

/**
 * The participants with the most messages, by the threshold algorithm: of each month and of `fresh`, the first $7
 * participants are candidates, whose numbers are summed. Any other has at most as many messages as the last ones of the
 * lists together (`other`).
 */
const thresholdStatement = topOf(
  /* sql */ `
lists AS MATERIALIZED (
  SELECT m.month, h.participant_id, h.messages FROM months AS m CROSS JOIN LATERAL (
    SELECT participant_id, messages FROM participant_months
    WHERE organization_id = $1 AND month = m.month ORDER BY messages DESC, participant_id DESC LIMIT $7
  ) AS h
  UNION ALL SELECT NULL, participant_id, number
  FROM (SELECT * FROM fresh ORDER BY number DESC, participant_id DESC LIMIT $7) AS f
), other AS (
  SELECT coalesce(sum(fewest), 0) AS messages
  FROM (SELECT min(messages) AS fewest FROM lists GROUP BY month HAVING count(*) = $7) AS l
), ranked AS (
  SELECT c.participant_id, coalesce(f.number, 0) + coalesce(w.messages, 0) + coalesce(p.messages, 0) AS messages
  FROM (SELECT DISTINCT participant_id FROM lists) AS c
    LEFT JOIN fresh AS f ON f.participant_id = c.participant_id
    CROSS JOIN days AS d
    CROSS JOIN LATERAL (
      SELECT sum(m.messages) AS messages FROM participant_months AS m
      WHERE m.organization_id = $1 AND m.participant_id = c.participant_id
        AND m.month >= d.first_month AND m.month < d.end_month
    ) AS w
    CROSS JOIN LATERAL (
      SELECT sum(s.messages) AS messages
      FROM months AS one JOIN participant_months AS m ON m.organization_id = $1
          AND m.participant_id = c.participant_id AND m.month = one.month
        CROSS JOIN LATERAL (${partialSum}) AS s
      WHERE one.is_partial
    ) AS p
)`
)

/** The participants with the most messages, of all that have any in the range. */
const sumStatement = topOf(
  /* sql */ `
ranked AS (
  SELECT participant_id, sum(messages) AS messages FROM (
    SELECT m.participant_id, m.messages FROM months AS one CROSS JOIN LATERAL (
      SELECT participant_id, messages FROM participant_months WHERE organization_id = $1 AND month = one.month OFFSET 0
    ) AS m WHERE NOT one.is_partial
    UNION ALL SELECT m.participant_id, s.messages FROM days AS d CROSS JOIN months AS one CROSS JOIN LATERAL (
      SELECT participant_id, month, days, counts FROM participant_months
      WHERE organization_id = $1 AND month = one.month OFFSET 0
    ) AS m CROSS JOIN LATERAL (${partialSum}) AS s WHERE one.is_partial
    UNION ALL SELECT participant_id, number FROM fresh
  ) AS one GROUP BY 1
), other AS (SELECT 0 AS messages)`
)

interface TopRow {
  readonly participantId: ParticipantId | null
  readonly name: string | null
  readonly messageCount: number
  readonly lastMessageAt: Date | null
  readonly other: number
}

/** Whether any other participant has fewer messages than the last row. */
const isCertain = (rows: ReadonlyArray<TopRow>, limit: number) => {
  const { messageCount = 0, other = 0 } = rows[limit - 1] ?? { other: rows[0]?.other }
  return other === 0 || messageCount > other
}

const readTop = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  range: DateRange,
  limit: number
) {
  const own = [...parameters(organization, splitAtDays(range)), limit, firstIdAt(range.end)]
  let rows: ReadonlyArray<TopRow> = []
  for (const depth of depths) {
    rows = yield* sql.unsafe<TopRow>(thresholdStatement, [...own, depth])
    if (isCertain(rows, limit)) return rows
  }
  return yield* sql
    .unsafe<TopRow>(sumStatement, own)
    .pipe(Effect.timeoutTo({ duration: sumTimeout, onSuccess: identity, onTimeout: () => rows }))
})

/** The participants with the most messages, most first, at most `limit`. */
export const topParticipants = (
  sql: SqlClient.SqlClient,
  organization: OrganizationId,
  range: DateRange,
  limit: number
) =>
  Effect.map(
    readTop(sql, organization, range, limit),
    Array.flatMap(
      ({ lastMessageAt, messageCount, name, participantId }): ReadonlyArray<TopParticipant> =>
        participantId === null || name === null || lastMessageAt === null
          ? []
          : [{ participantId, name, messageCount, lastMessageAt: DateTime.unsafeFromDate(lastMessageAt) }]
    )
  )
