import { Schema } from "effect"
import { Count, Rate } from "../analytics/MessageCounts.js"

/** Counts and rates of WhatsApp messages. */
export const WhatsAppStats = Schema.Struct({
  totalSent: Count,
  totalDelivered: Count,
  totalRead: Count,
  totalFailed: Count,
  deliveryRate: Rate.annotations({ description: "the share of sent or refused messages that were delivered" }),
  readRate: Rate.annotations({ description: "the share of sent or refused messages that were read" }),
  failureRate: Rate.annotations({ description: "the share of sent, refused or failed messages that failed" })
}).annotations({ identifier: "WhatsAppStats" })
export type WhatsAppStats = typeof WhatsAppStats.Type
