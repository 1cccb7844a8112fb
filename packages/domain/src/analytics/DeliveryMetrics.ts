import { Schema } from "effect"
import { choice } from "../Fields.js"
import { Timestamp } from "../Timestamp.js"
import { Count } from "./MessageCounts.js"

export const Granularity = choice("hour", "day").annotations({ identifier: "Granularity" })
export type Granularity = typeof Granularity.Type

const Millis = Count.annotations({
  description: "milliseconds from acceptance to sending: exact up to 64, within 1.6 % above; 0 without sent messages"
})

const metrics = {
  sent: Count,
  delivered: Count,
  failed: Count,
  bounced: Count,
  p50Ms: Millis,
  p95Ms: Millis
}

/** Delivery counts and latency by hour or by day, and their totals. */
export const DeliveryMetrics = Schema.Struct({
  granularity: Granularity,
  series: Schema.Array(
    Schema.Struct({
      timestamp: Timestamp.annotations({
        description: "the start of the hour or day, in the organization's time zone"
      }),
      ...metrics
    })
  ),
  totals: Schema.Struct(metrics)
}).annotations({ identifier: "DeliveryMetrics" })
export type DeliveryMetrics = typeof DeliveryMetrics.Type
export type DeliveryFigures = DeliveryMetrics["totals"]
