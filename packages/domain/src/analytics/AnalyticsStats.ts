import { Schema } from "effect"
import { Count, Rate } from "./MessageCounts.js"

/** The key figures of a range. */
export const AnalyticsStats = Schema.Struct({
  totalMessages: Count.annotations({ description: "messages that were accepted or received" }),
  outbound: Count.annotations({ description: "messages that were accepted for delivery" }),
  inbound: Count.annotations({ description: "messages that were received" }),
  activeConversations: Count.annotations({ description: "conversations with a message in the range" }),
  averageResponseSeconds: Schema.Number.pipe(Schema.nonNegative()).annotations({
    description:
      "the time from an inbound message to the next outbound message of its conversation, for replies in the range; 0 without replies"
  }),
  deliveryRate: Rate.annotations({ description: "the share of sent or refused messages that were delivered" }),
  failureRate: Rate.annotations({ description: "the share of sent, refused or failed messages that failed" })
}).annotations({ identifier: "AnalyticsStats" })
export type AnalyticsStats = typeof AnalyticsStats.Type
