import { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { HourOfDay } from "@switchboard/domain/analytics/HourlyDistribution"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { AnalyticsRepo, type ChannelCounts } from "@switchboard/services/analytics/AnalyticsRepo"
import { Effect, Layer } from "effect"
import { forRequest } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"
import { countedRange, rangeParameters } from "./CountedRange.js"
import { deliveryMetrics } from "./DeliveryMetrics.js"
import { failures } from "./Failures.js"
import { recipients, topParticipants } from "./Parties.js"

const byChannel = /* sql */ `
WITH ${countedRange(`channel, accepted, sent, delivered, read, clicked, failed, bounced, refused, complained, received, cost,
  responses, response_ms`)}
SELECT channel, sum(accepted)::float8 AS accepted, sum(sent)::float8 AS sent, sum(delivered)::float8 AS delivered,
  sum(read)::float8 AS read, sum(clicked)::float8 AS clicked, sum(failed)::float8 AS failed, sum(bounced)::float8 AS bounced,
  sum(refused)::float8 AS refused, sum(complained)::float8 AS complained, sum(received)::float8 AS received,
  trim_scale(sum(cost))::text AS cost, sum(responses)::float8 AS responses, sum(response_ms)::float8 AS "responseMillis"
FROM counted GROUP BY channel`

const byHourOfDay = /* sql */ `
WITH ${countedRange("extract(hour FROM quarter AT TIME ZONE zone)::int AS hour, accepted, delivered, failed, received")}
SELECT hour, sum(accepted + received)::float8 AS count, sum(delivered)::float8 AS delivered, sum(failed)::float8 AS failed
FROM counted GROUP BY 1`

/**
 * Counted in an index: the distinct conversations of periods can't be added. `count(DISTINCT …)` would sort them, also in
 * the order of the index, before PostgreSQL 16.
 */
const activeConversations = /* sql */ `
SELECT count(*)::float8 AS count FROM (
  SELECT FROM messages
  WHERE organization_id = $1 AND id >= $2::uuid AND id < $3::uuid AND conversation_id IS NOT NULL
  GROUP BY conversation_id
) AS active`

/** Analytics from rollups and, for conversations, from messages. */
export const AnalyticsRepoSql = Layer.effect(
  AnalyticsRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient

    const read =
      <Row extends object>(statement: string) =>
      (organization: OrganizationId, range: DateRange) =>
        forRequest(
          Effect.flatMap(rangeParameters(sql, organization, range), (parameters) =>
            sql.unsafe<Row>(statement, parameters)
          )
        )

    return {
      byChannel: read<ChannelCounts>(byChannel),
      deliveryMetrics: (organization, range, granularity) =>
        forRequest(deliveryMetrics(sql, organization, range, granularity)),
      byHourOfDay: read<HourOfDay>(byHourOfDay),
      activeConversations: (organization, { end, start }) =>
        sql.unsafe<{ count: number }>(activeConversations, [organization, firstIdAt(start), firstIdAt(end)]).pipe(
          Effect.map(([row]) => row?.count ?? 0),
          forRequest
        ),
      topParticipants: (organization, range, limit) => forRequest(topParticipants(sql, organization, range, limit)),
      recipients: (organization, range) => forRequest(recipients(sql, organization, range)),
      failures: (organization, range) => forRequest(failures(sql, organization, range))
    }
  })
)
