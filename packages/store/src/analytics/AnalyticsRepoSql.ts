import { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { HourOfDay } from "@switchboard/domain/analytics/HourlyDistribution"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { AnalyticsRepo, type ChannelCounts, type Recipients } from "@switchboard/services/analytics/AnalyticsRepo"
import { DateTime, Effect, Layer } from "effect"
import { inBatches } from "../database/InBatches.js"
import { forCaller, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"
import { countedRange, rangeParameters, zone } from "./CountedRange.js"
import { deliveryPeriods } from "./DeliveryPeriods.js"
import { gatherBatch, gatherStatement } from "./GatherCounts.js"

/** Messages that are looked at for who they were with, the latest of a range: what a read costs has a bound. */
const most = 250_000

/**
 * The part of a statement that has everybody who wrote to the organization in a range of ids, $2 to $3, or was written
 * to, once for each message. All that is read is an index.
 */
const parties = (direction: string) => /* sql */ `
parties AS (
  SELECT p.id FROM (
    SELECT direction, from_participant_id, to_participant_ids FROM messages
    WHERE organization_id = $1 AND id >= $2::uuid AND id < $3::uuid ORDER BY id DESC LIMIT ${most}
  ) AS m CROSS JOIN LATERAL unnest(
    CASE WHEN m.direction = 'inbound' THEN ARRAY[m.from_participant_id] ELSE m.to_participant_ids END
  ) AS p(id) WHERE ${direction}
)`

const byChannel = /* sql */ `
WITH ${countedRange}
SELECT channel, sum(accepted)::float8 AS accepted, sum(sent)::float8 AS sent, sum(delivered)::float8 AS delivered,
  sum(read)::float8 AS read, sum(failed)::float8 AS failed, sum(bounced)::float8 AS bounced,
  sum(refused)::float8 AS refused, sum(complained)::float8 AS complained, sum(received)::float8 AS received,
  trim_scale(sum(cost))::text AS cost, sum(responses)::float8 AS responses, sum(response_ms)::float8 AS "responseMillis"
FROM counted GROUP BY channel`

const byHourOfDay = /* sql */ `
WITH ${countedRange}
SELECT extract(hour FROM at AT TIME ZONE ${zone})::int AS hour, sum(accepted + received)::float8 AS count,
  sum(delivered)::float8 AS delivered, sum(failed)::float8 AS failed
FROM counted GROUP BY 1`

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

/** A range as one of message ids. */
const ids = (organization: OrganizationId, { end, start }: DateRange) => [
  organization,
  firstIdAt(start),
  firstIdAt(end)
]

/** What migration 10 counts, and who messages were with. */
export const AnalyticsRepoSql = Layer.effect(
  AnalyticsRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      byChannel: (organization, range) =>
        forCaller(sql.unsafe<ChannelCounts>(byChannel, rangeParameters(organization, range))),
      byPeriod: (organization, range, granularity) => forCaller(deliveryPeriods(sql, organization, range, granularity)),
      byHourOfDay: (organization, range) =>
        forCaller(sql.unsafe<HourOfDay>(byHourOfDay, rangeParameters(organization, range))),
      activeConversations: (organization, range) =>
        sql.unsafe<{ count: number }>(activeConversations, ids(organization, range)).pipe(
          Effect.map(([row]) => row?.count ?? 0),
          forCaller
        ),
      topParticipants: (organization, range, limit) =>
        sql.unsafe<TopRow>(topParticipants, [...ids(organization, range), limit]).pipe(
          Effect.map((rows) =>
            rows.map(({ lastMessageAt, ...row }) => ({
              ...row,
              lastMessageAt: DateTime.unsafeFromDate(lastMessageAt)
            }))
          ),
          forCaller
        ),
      recipients: (organization, range) => forCaller(sql.unsafe<Recipients>(recipients, ids(organization, range))),
      gather: inBatches(
        sql.unsafe<{ count: number }>(gatherStatement).pipe(
          Effect.map(([row]) => row?.count ?? 0),
          retryConflicts
        ),
        gatherBatch
      ).pipe(orUnavailable)
    }
  })
)
