import { Schema } from "effect"
import { Count } from "./MessageCounts.js"

/** The counts of one hour of the day, summed over all days of the range. */
export const HourOfDay = Schema.Struct({
  hour: Schema.Int.pipe(Schema.between(0, 23)).annotations({
    description: "the hour of the day, in the organization's time zone"
  }),
  count: Count.annotations({ description: "messages that were accepted or received" }),
  delivered: Count,
  failed: Count
}).annotations({ identifier: "HourOfDay" })
export type HourOfDay = typeof HourOfDay.Type

/** All 24 hours, from midnight. */
export const HourlyDistribution = Schema.Array(HourOfDay)
