import { Schema } from "effect"
import { FailureReason } from "../messages/delivery/FailureReason.js"
import { Count, Rate } from "./MessageCounts.js"

/** The failed deliveries of a range with one reason. */
export const FailureShare = Schema.Struct({
  reason: FailureReason,
  count: Count.annotations({ description: "recipients that bounced or failed" }),
  share: Rate.annotations({ description: "the share of all failed recipients of the range" })
}).annotations({ identifier: "FailureShare" })
export type FailureShare = typeof FailureShare.Type
