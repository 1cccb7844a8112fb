import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { DeliveryFigures, DeliveryMetrics, Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { HourOfDay } from "@switchboard/domain/analytics/HourlyDistribution"
import type { MessageCounts } from "@switchboard/domain/analytics/MessageCounts"
import type { TopParticipant } from "@switchboard/domain/analytics/TopParticipant"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Channel } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"

/** What was counted of a channel. */
export interface ChannelCounts extends MessageCounts {
  readonly channel: Channel
  /** Of what was accepted, as a decimal number. */
  readonly cost: string
  /** Inbound messages that were answered. */
  readonly responses: number
  /** How long that took in all. */
  readonly responseMillis: number
}

/** Recipients of whom the same is known. */
export interface Recipients {
  readonly country: string | null
  readonly region: string | null
  /** A phone number, where no country is known. */
  readonly phone: string | null
  readonly count: number
}

/** What has been counted, to the millisecond of the range. Hours and days are those of the organization's time zone. */
export class AnalyticsRepo extends Context.Tag("services/AnalyticsRepo")<
  AnalyticsRepo,
  {
    /** Of each channel that has anything in the range. */
    readonly byChannel: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<ReadonlyArray<ChannelCounts>, ServiceUnavailableError>
    /** Every hour or day that has a part in the range, oldest first. */
    readonly byPeriod: (
      organization: OrganizationId,
      range: DateRange,
      granularity: Granularity
    ) => Effect.Effect<
      { readonly series: DeliveryMetrics["series"]; readonly totals: DeliveryFigures },
      ServiceUnavailableError
    >
    /** Of each hour of the day that has anything in the range. */
    readonly byHourOfDay: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<ReadonlyArray<HourOfDay>, ServiceUnavailableError>
    /** Conversations with a message in the range. */
    readonly activeConversations: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<number, ServiceUnavailableError>
    /** With whom the most messages were exchanged, most first, so many at most. Of a large range the latest messages count. */
    readonly topParticipants: (
      organization: OrganizationId,
      range: DateRange,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TopParticipant>, ServiceUnavailableError>
    /** Recipients of outbound messages, by what is known of where they are. Of a large range the latest messages count. */
    readonly recipients: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<ReadonlyArray<Recipients>, ServiceUnavailableError>
    /** Puts what was counted last with what was counted before, so that there is little to read. How much that was. */
    readonly gather: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
