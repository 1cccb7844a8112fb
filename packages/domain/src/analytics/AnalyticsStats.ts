import { Schema } from "effect"
import { Count, Rate } from "./MessageCounts.js"

/** What was going on in a range, at a glance. */
export const AnalyticsStats = Schema.Struct({
  totalMessages: Count.annotations({ description: "messages that were accepted or received" }),
  outbound: Count.annotations({ description: "messages that were accepted for delivery" }),
  inbound: Count.annotations({ description: "messages that were received" }),
  activeConversations: Count.annotations({ description: "conversations with a message in the range" }),
  averageResponseSeconds: Schema.Number.pipe(Schema.nonNegative()).annotations({
    description:
      "how long it took from an inbound message to the next outbound one of its conversation, for those answered in the range; 0 without any"
  }),
  deliveryRate: Rate.annotations({ description: "the part of what was sent or refused that was delivered" }),
  failureRate: Rate.annotations({ description: "the part of what was sent, refused or failed that failed" })
}).annotations({ identifier: "AnalyticsStats" })
export type AnalyticsStats = typeof AnalyticsStats.Type
