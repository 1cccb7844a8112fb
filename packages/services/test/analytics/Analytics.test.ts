import { assert, describe, it } from "@effect/vitest"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Analytics } from "@switchboard/services/analytics/Analytics"
import type { ChannelCounts, Recipients } from "@switchboard/services/analytics/AnalyticsRepo"
import { EmailStatistics } from "@switchboard/services/email/stats/EmailStatistics"
import { WhatsAppStatistics } from "@switchboard/services/whatsapp/WhatsAppStatistics"
import { DateTime, Effect, Layer, TestClock } from "effect"
import { countsInMemory, countsOf } from "./CountsInMemory.js"

const organization = OrganizationId.make("01a1fc1d-cf8f-76d9-be28-52307925009f")
const at = DateTime.unsafeMake

const services = Layer.mergeAll(Analytics.Default, EmailStatistics.Default, WhatsAppStatistics.Default)
const withCounts = (...channels: ReadonlyArray<ChannelCounts>) =>
  Effect.provide(services.pipe(Layer.provide(countsInMemory(channels))))

const email = countsOf({
  accepted: 12,
  sent: 8,
  delivered: 7,
  read: 4,
  clicked: 2,
  failed: 2,
  bounced: 3,
  refused: 2,
  complained: 1,
  received: 5,
  cost: "0.0048",
  responses: 2,
  responseMillis: 5_001
})
const whatsapp = countsOf({ channel: "whatsapp", sent: 4, delivered: 3, read: 2, failed: 1, received: 1 })

describe("Analytics", () => {
  it.effect("sums the statistics over all channels", () =>
    Effect.gen(function* () {
      const { stats } = yield* Analytics
      assert.deepStrictEqual(yield* stats(organization, {}), {
        totalMessages: 18,
        outbound: 12,
        inbound: 6,
        activeConversations: 2,
        averageResponseSeconds: 2.5005,
        deliveryRate: 10 / 14,
        failureRate: 3 / 17
      })
    }).pipe(withCounts(email, whatsapp))
  )

  it.effect("returns zero for all statistics without counts", () =>
    Effect.gen(function* () {
      const analytics = yield* Analytics
      const { activeConversations: _, ...stats } = yield* analytics.stats(organization, {})
      assert.deepStrictEqual(new Set(Object.values(stats)), new Set([0]))
      const { stats: emailStats } = yield* EmailStatistics
      assert.deepStrictEqual(new Set(Object.values(yield* emailStats(organization, {}))), new Set([0]))
      const channels = yield* analytics.channelStats(organization, {})
      assert.deepStrictEqual(
        channels.map(({ channel, cost, sent }) => [channel, sent, cost]),
        ["sms", "whatsapp", "email", "voice"].map((channel) => [channel, 0, "0"])
      )
    }).pipe(withCounts())
  )

  it.effect("returns separate statistics for each channel", () =>
    Effect.gen(function* () {
      const { channelStats } = yield* Analytics
      const channels = yield* channelStats(organization, {})
      assert.deepStrictEqual(
        channels.find(({ channel }) => channel === "email"),
        {
          channel: "email",
          accepted: 12,
          sent: 8,
          delivered: 7,
          read: 4,
          clicked: 2,
          failed: 2,
          bounced: 3,
          refused: 2,
          complained: 1,
          received: 5,
          cost: "0.0048"
        }
      )
      assert.deepStrictEqual(yield* Effect.flatMap(EmailStatistics, ({ stats }) => stats(organization, {})), {
        totalSent: 8,
        totalDelivered: 7,
        totalRead: 4,
        totalClicked: 2,
        totalBounced: 3,
        totalComplained: 1,
        totalFailed: 2,
        totalReceived: 5,
        deliveryRate: 0.7,
        readRate: 0.4,
        clickRate: 0.2,
        bounceRate: 0.3,
        complaintRate: 0.1
      })
      assert.deepStrictEqual(yield* Effect.flatMap(WhatsAppStatistics, ({ stats }) => stats(organization, {})), {
        totalSent: 4,
        totalDelivered: 3,
        totalRead: 2,
        totalFailed: 1,
        deliveryRate: 0.75,
        readRate: 0.5,
        failureRate: 0.2
      })
    }).pipe(withCounts(email, whatsapp))
  )

  it.effect("returns all 24 hours of the day", () =>
    Effect.gen(function* () {
      const { hourlyDistribution } = yield* Analytics
      const hours = yield* hourlyDistribution(organization, {})
      assert.deepStrictEqual(
        hours.map(({ hour }) => hour),
        Array.from({ length: 24 }, (_, hour) => hour)
      )
      assert.deepStrictEqual(hours[9], { hour: 9, count: 3, delivered: 2, failed: 1 })
      assert.deepStrictEqual(hours[10], { hour: 10, count: 0, delivered: 0, failed: 0 })
    }).pipe(withCounts())
  )

  it.effect("defaults to hourly periods up to two days and to daily periods beyond", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-20T09:37:12.345Z"))
      const { deliveryMetrics } = yield* Analytics
      const twoDays = { startDate: at("2026-11-01T00:00:00Z"), endDate: at("2026-11-03T00:00:00Z") }
      const more = { ...twoDays, endDate: at("2026-11-03T00:00:00.001Z") }
      assert.include(yield* deliveryMetrics(organization, twoDays), `"granularity":"hour"`)
      assert.include(yield* deliveryMetrics(organization, twoDays, "day"), `"granularity":"day"`)
      assert.include(yield* deliveryMetrics(organization, more), `"granularity":"day"`)
      assert.include(yield* deliveryMetrics(organization, more, "hour"), `"granularity":"hour"`)
    }).pipe(withCounts())
  )

  it.effect("defaults to the last 30 days and rejects a range that ends before it starts", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-20T09:37:12.345Z"))
      const requestedRanges: Array<{ readonly start: DateTime.Utc; readonly end: DateTime.Utc }> = []
      const { channelStats, topParticipants } = yield* Effect.provide(
        Analytics,
        Analytics.Default.pipe(Layer.provide(countsInMemory([], [], requestedRanges)))
      )
      yield* channelStats(organization, {})
      assert.deepStrictEqual(requestedRanges, [{ start: at("2026-10-21T09:30:00Z"), end: at("2026-11-20T09:45:00Z") }])
      const wrong = yield* Effect.flip(
        topParticipants(organization, { startDate: at("2026-11-02T00:00:00Z"), endDate: at("2026-11-01T00:00:00Z") })
      )
      assert.strictEqual(wrong._tag, "BadRequestError")
    })
  )

  it.effect("counts the days of a range in the time zone of the organization", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.parse("2026-11-28T20:00:00Z"))
      const requestedRanges: Array<{ readonly start: DateTime.Utc; readonly end: DateTime.Utc }> = []
      const { channelStats } = yield* Effect.provide(
        Analytics,
        Analytics.Default.pipe(Layer.provide(countsInMemory([], [], requestedRanges)))
      )
      yield* channelStats(organization, { startDate: "2026-10-25", endDate: "2026-10-25" })
      yield* channelStats(organization, { startDate: "2026-11-28", endDate: "2026-11-28" })
      assert.deepStrictEqual(requestedRanges, [
        // The day of the end of summer time has 25 hours.
        { start: at("2026-10-24T22:00:00Z"), end: at("2026-10-25T23:00:00Z") },
        { start: at("2026-11-27T23:00:00Z"), end: at("2026-11-28T20:00:00Z") }
      ])
    })
  )

  it.effect("returns the most frequent places first, and unknown without one", () =>
    Effect.gen(function* () {
      const recipients: ReadonlyArray<Recipients> = [
        { country: "DE", region: null, count: 3 },
        { country: "US", region: null, count: 1 },
        { country: "DE", region: "Berlin", count: 1 },
        { country: null, region: "Somewhere", count: 1 },
        { country: null, region: null, count: 4 }
      ]
      const { geographicDistribution } = yield* Effect.provide(
        Analytics,
        Analytics.Default.pipe(Layer.provide(countsInMemory([], recipients)))
      )
      assert.deepStrictEqual(yield* geographicDistribution(organization, {}), [
        { country: "unknown", region: "unknown", count: 4 },
        { country: "DE", region: "unknown", count: 3 },
        { country: "DE", region: "Berlin", count: 1 },
        { country: "unknown", region: "Somewhere", count: 1 },
        { country: "US", region: "unknown", count: 1 }
      ])
    })
  )
})
