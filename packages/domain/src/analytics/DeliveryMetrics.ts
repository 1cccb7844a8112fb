import { Schema } from "effect"
import { choice } from "../Choice.js"
import { Timestamp } from "../Timestamp.js"
import { Count } from "./MessageCounts.js"

export const Granularity = choice("hour", "day").annotations({ identifier: "Granularity" })
export type Granularity = typeof Granularity.Type

const Millis = Count.annotations({
  description: "milliseconds from accepted to sent: exact to 64, within 1.6 % above; 0 where nothing was sent"
})

const metrics = {
  sent: Count,
  delivered: Count,
  failed: Count,
  bounced: Count,
  p50Ms: Millis,
  p95Ms: Millis
}

/** How delivery went, hour by hour or day by day, and in all. */
export const DeliveryMetrics = Schema.Struct({
  granularity: Granularity,
  series: Schema.Array(
    Schema.Struct({
      timestamp: Timestamp.annotations({
        description: "when the hour or the day began, in the organization's time zone"
      }),
      ...metrics
    })
  ),
  totals: Schema.Struct(metrics)
}).annotations({ identifier: "DeliveryMetrics" })
export type DeliveryMetrics = typeof DeliveryMetrics.Type
export type DeliveryFigures = DeliveryMetrics["totals"]
