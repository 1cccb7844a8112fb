import type { MessageCounts } from "@switchboard/domain/analytics/MessageCounts"
import { Number } from "effect"

/** The sum of counts. */
export const totalOf = (counts: ReadonlyArray<MessageCounts>): MessageCounts => {
  const sum = (of: (one: MessageCounts) => number) => Number.sumAll(counts.map(of))
  return {
    accepted: sum(({ accepted }) => accepted),
    sent: sum(({ sent }) => sent),
    delivered: sum(({ delivered }) => delivered),
    read: sum(({ read }) => read),
    failed: sum(({ failed }) => failed),
    bounced: sum(({ bounced }) => bounced),
    refused: sum(({ refused }) => refused),
    complained: sum(({ complained }) => complained),
    received: sum(({ received }) => received)
  }
}
