import { SqlClient } from "@effect/sql"
import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import { bucketLatency, latencyBucket } from "@switchboard/domain/analytics/LatencyHistogram"
import { messageRollup } from "@switchboard/domain/analytics/MessageRollup"
import { type FoldedEvent, fold } from "@switchboard/domain/analytics/Rollup"
import type { Channel } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ParticipantId } from "@switchboard/domain/participants/Participant"
import { AnalyticsRepo } from "@switchboard/services/analytics/AnalyticsRepo"
import { addRows } from "@switchboard/store/rollups/RollupTable"
import { messageRollupTable } from "@switchboard/store/rollups/RollupTables"
import { DateTime, Effect } from "effect"
import { v7 } from "uuid"
import { assert } from "vitest"
import { deliveryPeriods } from "./DeliveryPeriods.js"

/**
 * The messages of organizations, for a recount: each is accepted, sent and delivered in one quarter hour, with a rounded
 * latency.
 */
export const createMadeMessages = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE made_messages (organization_id uuid, at timestamptz, channel text, latency bigint)`
)

interface MadeMessage {
  readonly at: Date
  readonly channel: Channel
  readonly latency: number
}

const eventsOf = (organizationId: OrganizationId, { at, channel, latency }: MadeMessage): ReadonlyArray<FoldedEvent> =>
  (["message.created", "message.sent", "message.delivered"] as const).map((type) => ({
    organizationId,
    type,
    at: at.getTime(),
    statusBefore: null,
    isFirst: false,
    message: {
      channel,
      direction: "outbound",
      cost: "0.0004",
      createdAt: at.getTime() - latency,
      conversationId: null,
      fromParticipantId: ParticipantId.make(v7()),
      toParticipantIds: [],
      domain: null,
      isTest: false,
      sentAt: null,
      wasSent: false,
      lastStatus: null,
      responses: 0,
      responseMillis: 0,
      places: []
    }
  }))

/** Makes messages at random times of a range, and adds them to the counts. */
export const makeMessages = (organization: OrganizationId, { end, start }: DateRange, messages: number, sms = 0.2) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`SELECT setseed(${(messages % 97) / 97})`
    const made = yield* sql<MadeMessage>`SELECT date_trunc('milliseconds', ${DateTime.toDateUtc(start)}::timestamptz
          + random() * (${DateTime.toDateUtc(end)}::timestamptz - ${DateTime.toDateUtc(start)}::timestamptz)) AS at,
        CASE WHEN random() < ${sms} THEN 'sms' ELSE 'email' END AS channel, (20 * exp(random() * 6))::int AS latency
      FROM generate_series(1, ${messages})`
    const rounded = made.map((one) => ({ ...one, latency: bucketLatency(latencyBucket(one.latency)) }))
    yield* sql`INSERT INTO made_messages SELECT ${organization}, at, channel, latency
      FROM json_to_recordset(${JSON.stringify(rounded)}::json) AS m(at timestamptz, channel text, latency bigint)`
    yield* addRows(messageRollupTable)(
      sql,
      fold(
        messageRollup,
        made.flatMap((one) => eventsOf(organization, one))
      )
    )
  }).pipe((making) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.withTransaction(making)))

/** The expected `deliveryPeriods`. */
const recountPeriods = (organization: OrganizationId, range: DateRange, granularity: Granularity) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<{ period: Date | null; sent: number; p50Ms: number; p95Ms: number }>`
      WITH zone AS (SELECT timezone FROM organizations WHERE id = ${organization}), periods AS (
        SELECT DISTINCT date_trunc(${granularity}, quarter, timezone) AS period FROM zone, generate_series(
          ${DateTime.toDateUtc(range.start)}::timestamptz,
          ${DateTime.toDateUtc(range.end)}::timestamptz - interval '1 millisecond', '15 minutes'
        ) AS quarter
      ), made AS (
        SELECT date_trunc(${granularity}, date_bin('15 minutes', at, '2000-01-01Z'), timezone) AS period, latency AS ms
        FROM made_messages, zone WHERE organization_id = ${organization}
          AND at >= ${DateTime.toDateUtc(range.start)} AND at < ${DateTime.toDateUtc(range.end)}
      ), sums AS (
        SELECT period, count(*) AS sent, percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS p50,
          percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) AS p95
        FROM made GROUP BY GROUPING SETS ((period), ())
      )
      SELECT period, coalesce(sent, 0)::float8 AS sent, coalesce(p50, 0)::float8 AS "p50Ms",
        coalesce(p95, 0)::float8 AS "p95Ms"
      FROM periods LEFT JOIN sums USING (period)
      UNION ALL SELECT NULL, sent, coalesce(p50, 0), coalesce(p95, 0) FROM sums WHERE period IS NULL
      ORDER BY period`
    const figuresOf = ({ p50Ms, p95Ms, sent }: (typeof rows)[number]) => ({
      sent,
      delivered: sent,
      failed: 0,
      bounced: 0,
      p50Ms,
      p95Ms
    })
    const [totals = { sent: 0, p50Ms: 0, p95Ms: 0 }] = rows.filter(({ period }) => period === null)
    return {
      series: rows.flatMap(({ period, ...one }) =>
        period === null ? [] : [{ timestamp: DateTime.unsafeFromDate(period), ...figuresOf({ period, ...one }) }]
      ),
      totals: figuresOf({ period: null, ...totals })
    }
  })

/** The expected counts by channel. */
const recountChannels = (organization: OrganizationId, { end, start }: DateRange) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ channel: string; sent: number; cost: string }>`
      SELECT channel, count(*)::float8 AS sent, trim_scale(count(*) * 0.0004)::text AS cost FROM made_messages
      WHERE organization_id = ${organization} AND at >= ${DateTime.toDateUtc(start)} AND at < ${DateTime.toDateUtc(end)}
      GROUP BY channel ORDER BY channel`
  )

/** The expected counts by hour of the day. */
const recountHoursOfDay = (organization: OrganizationId, { end, start }: DateRange) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ hour: number; count: number }>`
      SELECT extract(hour FROM at AT TIME ZONE timezone)::int AS hour, count(*)::float8 AS count
      FROM made_messages JOIN organizations ON id = organization_id
      WHERE organization_id = ${organization} AND at >= ${DateTime.toDateUtc(start)} AND at < ${DateTime.toDateUtc(end)}
      GROUP BY 1 ORDER BY 1`
  )

/** Compares every figure of a range with a recount. */
export const assertPeriods = (organization: OrganizationId, of: DateRange) =>
  Effect.gen(function* () {
    const repo = yield* AnalyticsRepo
    for (const granularity of ["hour", "day"] as const) {
      assert.deepEqual(
        yield* deliveryPeriods(organization, of, granularity),
        yield* recountPeriods(organization, of, granularity)
      )
    }
    const channels = (yield* repo.byChannel(organization, of)).map(({ channel, cost, sent }) => ({
      channel,
      sent,
      cost
    }))
    assert.sameDeepMembers(channels, [...(yield* recountChannels(organization, of))])
    const hours = (yield* repo.byHourOfDay(organization, of)).map(({ count, hour }) => ({ hour, count }))
    assert.sameDeepMembers(hours, [...(yield* recountHoursOfDay(organization, of))])
  })
