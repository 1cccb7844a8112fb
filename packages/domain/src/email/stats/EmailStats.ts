import { Schema } from "effect"
import { Count, Rate } from "../../analytics/MessageCounts.js"

/** Counts and rates of e-mail. A message that was sent and then bounced counts as both. */
export const EmailStats = Schema.Struct({
  totalSent: Count,
  totalDelivered: Count,
  totalRead: Count,
  totalClicked: Count,
  totalBounced: Count,
  totalComplained: Count,
  totalFailed: Count,
  totalReceived: Count,
  deliveryRate: Rate.annotations({ description: "the share of sent or refused messages that were delivered" }),
  readRate: Rate.annotations({ description: "the share of sent or refused messages that were read" }),
  clickRate: Rate.annotations({ description: "the share of sent or refused messages with a click" }),
  bounceRate: Rate.annotations({ description: "the share of sent or refused messages that bounced" }),
  complaintRate: Rate.annotations({ description: "the share of sent or refused messages with a complaint" })
}).annotations({ identifier: "EmailStats" })
export type EmailStats = typeof EmailStats.Type
