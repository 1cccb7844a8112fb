import { Schema } from "effect"
import { Count, Rate } from "../../analytics/MessageCounts.js"

/** How e-mail went. What was sent and then bounced counts as both. */
export const EmailStats = Schema.Struct({
  totalSent: Count,
  totalDelivered: Count,
  totalRead: Count,
  totalBounced: Count,
  totalComplained: Count,
  totalFailed: Count,
  totalReceived: Count,
  deliveryRate: Rate.annotations({ description: "the part of what was sent or refused that was delivered" }),
  readRate: Rate.annotations({ description: "the part of what was sent or refused that was read" }),
  bounceRate: Rate.annotations({ description: "the part of what was sent or refused that bounced" }),
  complaintRate: Rate.annotations({ description: "the part of what was sent or refused that was complained of" })
}).annotations({ identifier: "EmailStats" })
export type EmailStats = typeof EmailStats.Type
