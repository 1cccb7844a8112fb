import { Schema } from "effect"
import { Count, Rate } from "../analytics/MessageCounts.js"

/** How WhatsApp messages went. */
export const WhatsAppStats = Schema.Struct({
  totalSent: Count,
  totalDelivered: Count,
  totalRead: Count,
  totalFailed: Count,
  deliveryRate: Rate.annotations({ description: "the part of what was sent or refused that was delivered" }),
  readRate: Rate.annotations({ description: "the part of what was sent or refused that was read" }),
  failureRate: Rate.annotations({ description: "the part of what was sent, refused or failed that failed" })
}).annotations({ identifier: "WhatsAppStats" })
export type WhatsAppStats = typeof WhatsAppStats.Type
