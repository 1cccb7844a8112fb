import type { AnalyticsStats } from "@switchboard/domain/analytics/AnalyticsStats"
import type { ChannelStats } from "@switchboard/domain/analytics/ChannelStats"
import type { RequestedRange } from "@switchboard/domain/analytics/DateRange"
import type { Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { FailureShare } from "@switchboard/domain/analytics/FailureShare"
import { type GeographicEntry, unknownPlace } from "@switchboard/domain/analytics/GeographicEntry"
import type { HourOfDay } from "@switchboard/domain/analytics/HourlyDistribution"
import { deliveryRate, failureRate, totalOf } from "@switchboard/domain/analytics/MessageCounts"
import { Channel } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Array, DateTime, Duration, Effect, Number } from "effect"
import { OrganizationRepo } from "../organizations/OrganizationRepo.js"
import { requestedRanges } from "../organizations/RequestedRanges.js"
import { AnalyticsRepo, type Recipients } from "./AnalyticsRepo.js"

/** Recipients by country and region, most first. */
const geography = (recipients: ReadonlyArray<Recipients>): ReadonlyArray<GeographicEntry> =>
  recipients
    .map(({ count, country, region }) => ({ country: country ?? unknownPlace, region: region ?? unknownPlace, count }))
    .sort(
      (one, other) =>
        other.count - one.count || one.country.localeCompare(other.country) || one.region.localeCompare(other.region)
    )

/** Ranges up to this length are shown by the hour by default. */
const hourly = Duration.days(2)

const hoursOfDay = Array.range(0, 23)

const maxTopParticipants = 10

/** Statistics of messages over a range of time. */
export class Analytics extends Effect.Service<Analytics>()("services/Analytics", {
  effect: Effect.gen(function* () {
    const repo = yield* AnalyticsRepo
    const { rangeNow } = requestedRanges(yield* OrganizationRepo)

    /** Totals, rates and response times. */
    const stats = Effect.fnUntraced(function* (organization: OrganizationId, requested: RequestedRange) {
      const range = yield* rangeNow(organization, requested)
      const channels = yield* repo.byChannel(organization, range)
      const activeConversations = yield* repo.activeConversations(organization, range)
      const total = totalOf(channels)
      const responses = Number.sumAll(channels.map((one) => one.responses))
      const responseMillis = Number.sumAll(channels.map((one) => one.responseMillis))
      const answer: AnalyticsStats = {
        totalMessages: total.accepted + total.received,
        outbound: total.accepted,
        inbound: total.received,
        activeConversations,
        averageResponseSeconds: responses === 0 ? 0 : responseMillis / responses / 1_000,
        deliveryRate: deliveryRate(total),
        failureRate: failureRate(total)
      }
      return answer
    })

    /** One entry for every channel, including channels without messages. */
    const channelStats = Effect.fnUntraced(function* (organization: OrganizationId, requested: RequestedRange) {
      const counted = yield* repo.byChannel(organization, yield* rangeNow(organization, requested))
      return Channel.literals.map((channel): ChannelStats => {
        const own = counted.filter((one) => one.channel === channel)
        return { channel, ...totalOf(own), cost: own[0]?.cost ?? "0" }
      })
    })

    /** Delivery figures by hour or day. */
    const deliveryMetrics = Effect.fnUntraced(function* (
      organization: OrganizationId,
      requested: RequestedRange,
      wanted?: Granularity
    ) {
      const range = yield* rangeNow(organization, requested)
      const isShort = Duration.lessThanOrEqualTo(DateTime.distanceDuration(range.start, range.end), hourly)
      const granularity = wanted ?? (isShort ? "hour" : "day")
      return yield* repo.deliveryMetrics(organization, range, granularity)
    })

    /** One entry for each hour of the day. */
    const hourlyDistribution = Effect.fnUntraced(function* (organization: OrganizationId, requested: RequestedRange) {
      const counted = yield* repo.byHourOfDay(organization, yield* rangeNow(organization, requested))
      const byHour = new Map(counted.map((one) => [one.hour, one]))
      return hoursOfDay.map((hour): HourOfDay => byHour.get(hour) ?? { hour, count: 0, delivered: 0, failed: 0 })
    })

    const topParticipants = (organization: OrganizationId, requested: RequestedRange) =>
      Effect.flatMap(rangeNow(organization, requested), (range) =>
        repo.topParticipants(organization, range, maxTopParticipants)
      )

    const geographicDistribution = (organization: OrganizationId, requested: RequestedRange) =>
      rangeNow(organization, requested).pipe(
        Effect.flatMap((range) => repo.recipients(organization, range)),
        Effect.map(geography)
      )

    /** Failed recipients by reason, highest number first. */
    const failures = Effect.fnUntraced(function* (organization: OrganizationId, requested: RequestedRange) {
      const counted = yield* repo.failures(organization, yield* rangeNow(organization, requested))
      const total = Number.sumAll(counted.map(({ count }) => count))
      return counted
        .map(({ count, reason }): FailureShare => ({ reason, count, share: count / total }))
        .sort((one, other) => other.count - one.count || one.reason.localeCompare(other.reason))
    })

    return {
      stats,
      channelStats,
      deliveryMetrics,
      hourlyDistribution,
      topParticipants,
      geographicDistribution,
      failures
    } as const
  })
}) {}
