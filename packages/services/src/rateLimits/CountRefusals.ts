import { Metric } from "effect"
import { byLabels } from "../ByLabels.js"

const refusals = byLabels(
  Metric.counter("switchboard_rate_limited_total", {
    description: "Requests refused with 429, by limit: requests, sends or failures (failed authentications)",
    incremental: true
  })
)

/** Counts a request that a rate limit refuses. */
export const countRefusal = (limit: "requests" | "sends" | "failures") => Metric.update(refusals({ limit }), 1)
