import { Schema } from "effect"
import { Count } from "./MessageCounts.js"

/** What happened at an hour of the day, on all days together. */
export const HourOfDay = Schema.Struct({
  hour: Schema.Int.pipe(Schema.between(0, 23)).annotations({
    description: "the hour of the day, in the organization's time zone"
  }),
  count: Count.annotations({ description: "messages that were accepted or received" }),
  delivered: Count,
  failed: Count
}).annotations({ identifier: "HourOfDay" })
export type HourOfDay = typeof HourOfDay.Type

/** All 24 hours, from midnight on. */
export const HourlyDistribution = Schema.Array(HourOfDay)
