import { byLabels } from "@switchboard/services/ByLabels"
import { Metric, MetricBoundaries } from "effect"

/** In seconds. */
const boundaries = MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5])

const seconds = byLabels(
  Metric.histogram(
    "switchboard_http_request_duration_seconds",
    boundaries,
    "Seconds from a request's headers to its response, by method, route and status"
  )
)

/** Records the duration of a request. A request without a route has the route `none`: its path is the caller's choice. */
export const measureRequest = (method: string, route: string | undefined, status: number, elapsed: number): void =>
  seconds({ method, route: route ?? "none", status: String(status) }).unsafeUpdate(elapsed, [])
