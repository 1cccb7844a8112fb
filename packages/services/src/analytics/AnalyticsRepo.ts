import type { DateRange } from "@switchboard/domain/analytics/DateRange"
import type { Granularity } from "@switchboard/domain/analytics/DeliveryMetrics"
import type { FailureShare } from "@switchboard/domain/analytics/FailureShare"
import type { HourOfDay } from "@switchboard/domain/analytics/HourlyDistribution"
import type { MessageCounts } from "@switchboard/domain/analytics/MessageCounts"
import type { TopParticipant } from "@switchboard/domain/analytics/TopParticipant"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Channel } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"

/** The counts of a channel. */
export interface ChannelCounts extends MessageCounts {
  readonly channel: Channel
  /** The cost of accepted messages, as a decimal number. */
  readonly cost: string
  /** Inbound messages that got a reply. */
  readonly responses: number
  /** The total time to these replies. */
  readonly responseMillis: number
}

/** The recipients with the same location. */
export interface Recipients {
  /** That of the participant, else of its phone number. */
  readonly country: string | null
  readonly region: string | null
  readonly count: number
}

/** Counts of messages, with ranges exact to the millisecond. Hours and days are in the organization's time zone. */
export class AnalyticsRepo extends Context.Tag("services/AnalyticsRepo")<
  AnalyticsRepo,
  {
    /** Counts of each channel that has messages in the range. */
    readonly byChannel: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<ReadonlyArray<ChannelCounts>, ServiceUnavailableError>
    /** `DeliveryMetrics` of every hour or day that overlaps the range, oldest first, as JSON text in its encoded form. */
    readonly deliveryMetrics: (
      organization: OrganizationId,
      range: DateRange,
      granularity: Granularity
    ) => Effect.Effect<string, ServiceUnavailableError>
    /** Counts of each hour of the day that has messages in the range. */
    readonly byHourOfDay: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<ReadonlyArray<HourOfDay>, ServiceUnavailableError>
    /** The number of conversations with a message in the range. */
    readonly activeConversations: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<number, ServiceUnavailableError>
    /** The participants with the most messages, most first, at most `limit`. */
    readonly topParticipants: (
      organization: OrganizationId,
      range: DateRange,
      limit: number
    ) => Effect.Effect<ReadonlyArray<TopParticipant>, ServiceUnavailableError>
    /** Recipients of outbound messages, grouped by the location that the participant had when the message was accepted. */
    readonly recipients: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<ReadonlyArray<Recipients>, ServiceUnavailableError>
    /** Failed recipients by reason. */
    readonly failures: (
      organization: OrganizationId,
      range: DateRange
    ) => Effect.Effect<ReadonlyArray<Omit<FailureShare, "share">>, ServiceUnavailableError>
  }
>() {}
