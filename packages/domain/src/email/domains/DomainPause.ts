import { Option, Schema } from "effect"
import { Rate } from "../../analytics/MessageCounts.js"
import { choice } from "../../Fields.js"
import { Timestamp } from "../../Timestamp.js"
import type { SenderOutcomes } from "../senders/EmailSender.js"

/** `manual`: a request paused the domain. */
export const PauseReason = choice("bounces", "complaints", "manual").annotations({ identifier: "PauseReason" })
export type PauseReason = typeof PauseReason.Type

/** A pause of the mail from a domain. The figures are absent if its reason is `manual`. */
export const DomainPause = Schema.Struct({
  reason: PauseReason,
  rate: Schema.optional(Rate.annotations({ description: "the share of messages that bounced or had a complaint" })),
  bound: Schema.optional(Rate.annotations({ description: "the rate from which a domain is paused" })),
  messages: Schema.optional(
    Schema.Int.annotations({ description: "the messages that were sent in the window of the rate" })
  ),
  pausedAt: Timestamp
}).annotations({ identifier: "DomainPause" })
export type DomainPause = typeof DomainPause.Type

/** The rates from which a domain is paused, from 0 to 1. None: the rate does not pause a domain. */
export interface PauseBounds {
  readonly bounceRate: Option.Option<number>
  readonly complaintRate: Option.Option<number>
  /** Fewer messages than this do not pause a domain. */
  readonly minMessages: number
}

/** The hours in which sent messages count. */
export const pauseWindow = "24 hours"

/** The pause that the figures of a domain require. Bounces are named first. */
export const requiredPause = (
  { bounced, complained, sent }: SenderOutcomes,
  { bounceRate, complaintRate, minMessages }: PauseBounds,
  pausedAt: DomainPause["pausedAt"]
): Option.Option<DomainPause> => {
  if (sent < Math.max(1, minMessages)) return Option.none()
  const exceeded = (reason: PauseReason, count: number, bound: Option.Option<number>): Option.Option<DomainPause> =>
    Option.filterMap(bound, (limit) => {
      const rate = Math.min(1, count / sent)
      return rate >= limit ? Option.some({ reason, rate, bound: limit, messages: sent, pausedAt }) : Option.none()
    })
  return Option.orElse(exceeded("bounces", bounced, bounceRate), () =>
    exceeded("complaints", complained, complaintRate)
  )
}
