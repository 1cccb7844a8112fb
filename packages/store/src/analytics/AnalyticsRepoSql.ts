import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import type { HourOfDay } from "@switchboard/domain/analytics/HourlyDistribution"
import { AnalyticsRepo, type ChannelCounts } from "@switchboard/services/analytics/AnalyticsRepo"
import { Effect, Layer, Number } from "effect"
import { inBatches } from "../database/Batches.js"
import { separateConnections } from "../database/Database.js"
import { mergeBatch } from "../database/MergeChanges.js"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { mergeOutcomesStatement } from "../email/senders/SenderOutcomes.js"
import { mergeTotalsStatement } from "../messages/MessageTotals.js"
import { namePhoneCountries, phoneBatch } from "../participants/NamePhoneCountries.js"
import { activeConversations } from "./ActiveConversations.js"
import { channelCounts, countedRange, rangeParameters } from "./CountedRange.js"
import { deliveryMetrics } from "./DeliveryMetrics.js"
import { failures } from "./Failures.js"
import {
  buildStatement,
  conversationBatch,
  gatherBatch,
  gatherStatement,
  mergeConversationsStatement,
  mergePartiesStatement,
  movedMessages,
  moveRecipientsStatement,
  partyBatch
} from "./GatherCounts.js"
import { recipients, topParticipants } from "./Parties.js"

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

/** Analytics from the counts of `schema/Analytics.ts`. */
export const AnalyticsRepoSql = Layer.effect(
  AnalyticsRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const database = yield* PgClient.PgClient

    const countOver = (client: SqlClient.SqlClient, statement: string) =>
      client.unsafe<{ count: number }>(statement).pipe(
        Effect.map(([row]) => row?.count ?? 0),
        retryConflicts
      )
    const count = (statement: string) => countOver(sql, statement)

    /** Without the pool's timeouts: one statement reads all messages of a participant, which can be millions. */
    const moveRecipients = Effect.flatMap(SqlClient.SqlClient, (own) =>
      inBatches(countOver(own, moveRecipientsStatement(movedMessages)), 1)
    ).pipe(Effect.provide(separateConnections(1)), Effect.provideService(PgClient.PgClient, database))

    return {
      byChannel: (organization, range) =>
        forRequest(sql.unsafe<ChannelCounts>(byChannel, rangeParameters(organization, range))),
      deliveryMetrics: (organization, range, granularity) =>
        forRequest(deliveryMetrics(sql, organization, range, granularity)),
      byHourOfDay: (organization, range) =>
        forRequest(sql.unsafe<HourOfDay>(byHourOfDay, rangeParameters(organization, range))),
      activeConversations: (organization, range) => forRequest(activeConversations(sql, organization, range)),
      topParticipants: (organization, range, limit) => forRequest(topParticipants(sql, organization, range, limit)),
      recipients: (organization, range) => forRequest(recipients(sql, organization, range)),
      failures: (organization, range) => forRequest(failures(sql, organization, range)),
      mergeCounts: Effect.iterate(
        { total: 0, isDone: false },
        {
          while: ({ isDone }) => !isDone,
          // Builds periods in turn with merging, so that neither waits for the other to end.
          body: ({ total }) =>
            Effect.gen(function* () {
              const merged = yield* inBatches(count(gatherStatement), gatherBatch)
              const totals = yield* inBatches(count(mergeTotalsStatement), mergeBatch)
              const parties = yield* inBatches(count(mergePartiesStatement), partyBatch)
              const outcomes = yield* inBatches(count(mergeOutcomesStatement), mergeBatch)
              const conversations = yield* inBatches(count(mergeConversationsStatement), conversationBatch)
              const named = yield* inBatches(retryConflicts(namePhoneCountries(sql)), phoneBatch)
              const [change] = yield* sql`SELECT FROM participant_place_changes LIMIT 1`
              const moved = change === undefined ? 0 : yield* moveRecipients
              const built = yield* count(buildStatement)
              const all = [merged, totals, outcomes, parties, conversations, named, moved, built]
              return { total: total + Number.sumAll(all), isDone: built === 0 }
            })
        }
      ).pipe(
        Effect.map(({ total }) => total),
        orUnavailable
      )
    }
  })
)
