import { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { HourOfDay } from "@switchboard/domain/analytics/HourlyDistribution"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { AnalyticsRepo, type ChannelCounts, type Recipients } from "@switchboard/services/analytics/AnalyticsRepo"
import { DateTime, Effect, Layer } from "effect"
import { inBatches } from "../database/InBatches.js"
import { mergeBatch } from "../database/MergeChanges.js"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"
import { mergeTotalsStatement } from "../messages/MessageTotals.js"
import { channelCounts, countedRange, rangeParameters } from "./CountedRange.js"
import { deliveryPeriods } from "./DeliveryPeriods.js"
import { buildStatement, gatherBatch, gatherStatement } from "./GatherCounts.js"

/** The newest messages of a range that participant statistics read: limits the cost of a query. */
const maxMessages = 250_000

/**
 * A CTE with one row per message and participant, for messages with ids from $2 to $3: the sender of an inbound
 * message, the recipients of an outbound one. Reads only the index `messages_parties`.
 */
const parties = (direction: string) => /* sql */ `
parties AS (
  SELECT unnest(
    CASE WHEN m.direction = 'inbound' THEN ARRAY[m.from_participant_id] ELSE m.to_participant_ids END
  ) AS id
  FROM (
    SELECT direction, from_participant_id, to_participant_ids FROM messages
    WHERE organization_id = $1 AND id >= $2::uuid AND id < $3::uuid ORDER BY id DESC LIMIT ${maxMessages}
  ) AS m WHERE ${direction}
)`

const allCounts = `channel, accepted, sent, delivered, read, failed, bounced, refused, complained, received, cost,
  responses, response_ms`

const byChannel = /* sql */ `
WITH ${countedRange(
  "month",
  (span) => channelCounts(span, allCounts),
  () => allCounts
)}
SELECT channel, sum(accepted)::float8 AS accepted, sum(sent)::float8 AS sent, sum(delivered)::float8 AS delivered,
  sum(read)::float8 AS read, sum(failed)::float8 AS failed, sum(bounced)::float8 AS bounced,
  sum(refused)::float8 AS refused, sum(complained)::float8 AS complained, sum(received)::float8 AS received,
  trim_scale(sum(cost))::text AS cost, sum(responses)::float8 AS responses, sum(response_ms)::float8 AS "responseMillis"
FROM counted GROUP BY channel`

const hourCounts = (at: string) => `${at} AS hour_at, accepted, delivered, failed, received`

/** On days of another length, quarter hours are read: a stored hour can contain parts of two local hours. */
const byHourOfDay = /* sql */ `
WITH ${countedRange(
  "day",
  (span) =>
    span === "day"
      ? {
          from: `message_days CROSS JOIN LATERAL
            unnest(hours, accepted, delivered, failed, received) AS h(hour_at, accepted, delivered, failed, received)`,
          at: "starts_at",
          columns: "h.*"
        }
      : channelCounts(span, hourCounts(span === "quarter" ? "quarter" : "starts_at")),
  hourCounts
)}, changes AS MATERIALIZED (
  SELECT first, next FROM complete
    CROSS JOIN LATERAL generate_series(
      date_trunc('day', $2::timestamptz AT TIME ZONE zone) - interval '1 day', $3::timestamptz AT TIME ZONE zone, '1 day'
    ) AS day
    CROSS JOIN LATERAL (SELECT day AT TIME ZONE zone AS first, (day + interval '1 day') AT TIME ZONE zone AS next) AS d
  WHERE next - first <> interval '24 hours'
)
SELECT extract(hour FROM hour_at AT TIME ZONE zone)::int AS hour, sum(accepted + received)::float8 AS count,
  sum(delivered)::float8 AS delivered, sum(failed)::float8 AS failed
FROM complete, (
  SELECT * FROM counted
  WHERE NOT (span <> 'quarter' AND EXISTS (SELECT FROM changes WHERE hour_at >= first AND hour_at < next))
  UNION ALL SELECT c.* FROM complete, changes CROSS JOIN LATERAL (
    SELECT 'quarter', quarter AS at, ${hourCounts("quarter")} FROM message_counts
    WHERE organization_id = $1 AND quarter >= first - interval '2 hours' AND quarter < next + interval '2 hours' OFFSET 0
  ) AS c CROSS JOIN LATERAL (
    SELECT date_trunc('hour', at, zone) AS hour, date_trunc('day', at, zone) AS day
  ) AS t
  WHERE hour >= first AND hour < next
    AND (hour >= hour_first AND hour < hour_end OR day >= day_first AND day < day_end)
) AS c
GROUP BY 1`

const activeConversations = /* sql */ `
SELECT count(DISTINCT conversation_id)::float8 AS count FROM messages
WHERE organization_id = $1 AND id >= $2::uuid AND id < $3::uuid AND conversation_id IS NOT NULL`

const topParticipants = /* sql */ `
WITH ${parties("true")}
SELECT p.id AS "participantId", p.name, top.count::float8 AS "messageCount", m.created_at AS "lastMessageAt"
FROM (SELECT id, count(*) AS count FROM parties GROUP BY id ORDER BY count DESC, id DESC LIMIT $4) AS top
  JOIN participants AS p ON p.organization_id = $1 AND p.id = top.id
  CROSS JOIN LATERAL (
    SELECT message_id FROM message_participants
    WHERE organization_id = $1 AND participant_id = top.id AND message_id < $3::uuid ORDER BY message_id DESC LIMIT 1
  ) AS last
  JOIN messages AS m ON m.organization_id = $1 AND m.id = last.message_id
ORDER BY count DESC, p.id DESC`

const recipients = /* sql */ `
WITH ${parties("m.direction = 'outbound'")}, phones AS (
  SELECT DISTINCT ON (participant_id) participant_id, address FROM participant_addresses
  WHERE organization_id = $1 AND kind IN ('phone', 'whatsapp') ORDER BY participant_id, kind, address
)
SELECT p.country, p.region, CASE WHEN p.country IS NULL THEN a.address END AS phone, sum(r.count)::float8 AS count
FROM (SELECT id, count(*) AS count FROM parties GROUP BY id) AS r
  LEFT JOIN participants AS p ON p.organization_id = $1 AND p.id = r.id
  LEFT JOIN phones AS a ON a.participant_id = r.id
GROUP BY 1, 2, 3`

interface TopRow {
  readonly participantId: ParticipantId
  readonly name: string
  readonly messageCount: number
  readonly lastMessageAt: Date
}

/** The parameters of a range as message ids. */
const ids = (organization: OrganizationId, { end, start }: DateRange) => [
  organization,
  firstIdAt(start),
  firstIdAt(end)
]

/** Analytics from the counts of migrations 10 and 33, and from the participants of messages. */
export const AnalyticsRepoSql = Layer.effect(
  AnalyticsRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const count = (statement: string) =>
      sql.unsafe<{ count: number }>(statement).pipe(
        Effect.map(([row]) => row?.count ?? 0),
        retryConflicts
      )

    return {
      byChannel: (organization, range) =>
        forRequest(sql.unsafe<ChannelCounts>(byChannel, rangeParameters(organization, range))),
      byPeriod: (organization, range, granularity) =>
        forRequest(deliveryPeriods(sql, organization, range, granularity)),
      byHourOfDay: (organization, range) =>
        forRequest(sql.unsafe<HourOfDay>(byHourOfDay, rangeParameters(organization, range))),
      activeConversations: (organization, range) =>
        sql.unsafe<{ count: number }>(activeConversations, ids(organization, range)).pipe(
          Effect.map(([row]) => row?.count ?? 0),
          forRequest
        ),
      topParticipants: (organization, range, limit) =>
        sql.unsafe<TopRow>(topParticipants, [...ids(organization, range), limit]).pipe(
          Effect.map((rows) =>
            rows.map(({ lastMessageAt, ...row }) => ({
              ...row,
              lastMessageAt: DateTime.unsafeFromDate(lastMessageAt)
            }))
          ),
          forRequest
        ),
      recipients: (organization, range) => forRequest(sql.unsafe<Recipients>(recipients, ids(organization, range))),
      mergeCounts: Effect.iterate(
        { total: 0, isDone: false },
        {
          while: ({ isDone }) => !isDone,
          // Builds periods in turn with merging, so that neither waits for the other to end.
          body: ({ total }) =>
            Effect.gen(function* () {
              const merged = yield* inBatches(count(gatherStatement), gatherBatch)
              const totals = yield* inBatches(count(mergeTotalsStatement), mergeBatch)
              const built = yield* count(buildStatement)
              return { total: total + merged + totals + built, isDone: built === 0 }
            })
        }
      ).pipe(
        Effect.map(({ total }) => total),
        orUnavailable
      )
    }
  })
)
