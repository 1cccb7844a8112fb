import { Schema } from "effect"
import { Channel } from "../messages/Message.js"
import { Count } from "./MessageCounts.js"

/** The counts and the cost of a channel in a range. */
export const ChannelStats = Schema.Struct({
  channel: Channel,
  accepted: Count,
  sent: Count,
  delivered: Count,
  read: Count,
  clicked: Count.annotations({ description: "messages with a click, counted at the first one; an extension" }),
  failed: Count,
  bounced: Count,
  refused: Count.annotations({
    description: "bounced messages that the first server rejected, so that they were never sent"
  }),
  complained: Count,
  received: Count,
  cost: Schema.String.annotations({
    description: "the cost of accepted messages, a decimal number",
    examples: ["0.0004"]
  })
}).annotations({ identifier: "ChannelStats" })
export type ChannelStats = typeof ChannelStats.Type
