import { Number, Schema } from "effect"

/** A non-negative integer. */
export const Count = Schema.Int.pipe(Schema.nonNegative())

/** A fraction from 0 to 1; 0 if the total is 0. */
export const Rate = Schema.Number.pipe(Schema.between(0, 1))

/** Messages by the status that they reached within a range. All counts but `received` are of outbound messages. */
export interface MessageCounts {
  readonly accepted: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  /** Messages with a click, counted at the first one. */
  readonly clicked: number
  readonly failed: number
  readonly bounced: number
  /** The bounced messages that the first SMTP server rejected, so that they were never sent. */
  readonly refused: number
  readonly complained: number
  readonly received: number
}

/** The sum of counts. */
export const totalOf = (counts: ReadonlyArray<MessageCounts>): MessageCounts => {
  const sum = (of: (one: MessageCounts) => number) => Number.sumAll(counts.map(of))
  return {
    accepted: sum(({ accepted }) => accepted),
    sent: sum(({ sent }) => sent),
    delivered: sum(({ delivered }) => delivered),
    read: sum(({ read }) => read),
    clicked: sum(({ clicked }) => clicked),
    failed: sum(({ failed }) => failed),
    bounced: sum(({ bounced }) => bounced),
    refused: sum(({ refused }) => refused),
    complained: sum(({ complained }) => complained),
    received: sum(({ received }) => received)
  }
}

/** Messages whose sending ended: each was sent, or was rejected by the first server, or failed. */
export const attempted = ({ failed, refused, sent }: Pick<MessageCounts, "failed" | "refused" | "sent">): number =>
  sent + refused + failed

/** Capped at 1: a message can be sent before a range and delivered within it. */
const share = (part: number, total: number) => (total === 0 ? 0 : Math.min(1, part / total))

/** Messages that were sent, or rejected by the first SMTP server. */
const offered = ({ refused, sent }: MessageCounts) => sent + refused

export const deliveryRate = (counts: MessageCounts): number => share(counts.delivered, offered(counts))
export const readRate = (counts: MessageCounts): number => share(counts.read, offered(counts))
export const clickRate = (counts: MessageCounts): number => share(counts.clicked, offered(counts))
export const bounceRate = (counts: MessageCounts): number => share(counts.bounced, offered(counts))
export const complaintRate = (counts: MessageCounts): number => share(counts.complained, offered(counts))

/** The denominator includes failed messages: they were never sent. */
export const failureRate = (counts: MessageCounts): number => share(counts.failed, attempted(counts))
