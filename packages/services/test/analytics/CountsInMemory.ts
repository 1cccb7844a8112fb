import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryMetrics } from "@switchboard/domain/analytics/DeliveryMetrics"
import { AnalyticsRepo, type ChannelCounts, type Recipients } from "@switchboard/services/analytics/AnalyticsRepo"
import { Effect, Layer } from "effect"
import { organizationsIn } from "../organizations/OrganizationsInMemory.js"

/** Channel counts that are zero except for the given fields. */
export const countsOf = (given: Partial<ChannelCounts>): ChannelCounts => ({
  channel: "email",
  accepted: 0,
  sent: 0,
  delivered: 0,
  read: 0,
  clicked: 0,
  failed: 0,
  bounced: 0,
  refused: 0,
  complained: 0,
  received: 0,
  cost: "0",
  responses: 0,
  responseMillis: 0,
  ...given
})

const noFigures: DeliveryMetrics["totals"] = { sent: 0, delivered: 0, failed: 0, bounced: 0, p50Ms: 0, p95Ms: 0 }

/** Repositories with the same counts for every range, which record the requested ranges. The time zone is Berlin. */
export const countsInMemory = (
  channels: ReadonlyArray<ChannelCounts>,
  recipients: ReadonlyArray<Recipients> = [],
  requestedRanges: Array<DateRange> = []
) =>
  Layer.merge(
    organizationsIn("Europe/Berlin"),
    Layer.succeed(AnalyticsRepo, {
      byChannel: (_, range) =>
        Effect.sync(() => {
          requestedRanges.push(range)
          return channels
        }),
      deliveryMetrics: (_, __, granularity) =>
        Effect.succeed(JSON.stringify({ granularity, series: [], totals: noFigures })),
      byHourOfDay: () => Effect.succeed([{ hour: 9, count: 3, delivered: 2, failed: 1 }]),
      activeConversations: () => Effect.succeed(2),
      topParticipants: () => Effect.succeed([]),
      recipients: () => Effect.succeed(recipients),
      failures: () => Effect.succeed([])
    })
  )
