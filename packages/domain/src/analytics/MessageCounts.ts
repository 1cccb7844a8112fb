import { Schema } from "effect"

/** A whole number of something. */
export const Count = Schema.Int.pipe(Schema.nonNegative())

/** A part of a whole: 0 to 1, and 0 where there is nothing. */
export const Rate = Schema.Number.pipe(Schema.between(0, 1))

/** Messages that came so far within a range, each counted where it did. All but `received` are outbound. */
export interface MessageCounts {
  readonly accepted: number
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly bounced: number
  /** Those of the bounced that the recipients' side refused at once, so that they were never sent. */
  readonly refused: number
  readonly complained: number
  readonly received: number
}

/** At most 1: what is in a range need not have begun in it. */
const share = (part: number, whole: number) => (whole === 0 ? 0 : Math.min(1, part / whole))

/** Whatever was offered to the recipients' side: what was sent, and what was refused there. */
const offered = ({ refused, sent }: MessageCounts) => sent + refused

export const deliveryRate = (counts: MessageCounts): number => share(counts.delivered, offered(counts))
export const readRate = (counts: MessageCounts): number => share(counts.read, offered(counts))
export const bounceRate = (counts: MessageCounts): number => share(counts.bounced, offered(counts))
export const complaintRate = (counts: MessageCounts): number => share(counts.complained, offered(counts))

/** Of everything that was decided: what failed was never sent. */
export const failureRate = (counts: MessageCounts): number => share(counts.failed, offered(counts) + counts.failed)
