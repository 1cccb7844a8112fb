import { HttpMiddleware, HttpServerRequest } from "@effect/platform"
import { byLabels } from "@switchboard/services/ByLabels"
import { Clock, Effect, FiberRef, HashMap, Metric, MetricBoundaries, Option } from "effect"

/** In seconds. */
const boundaries = MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5])

const seconds = byLabels(
  Metric.histogram(
    "switchboard_http_request_duration_seconds",
    boundaries,
    "Seconds from a request's headers to its response, by method, route and status"
  )
)

/** Measures requests that reach a route. The path of other requests is their caller's choice, so they have one label. */
export const measureRequests = HttpMiddleware.make((app) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeNanos
    const response = yield* app
    const { method } = yield* HttpServerRequest.HttpServerRequest
    const annotations = yield* FiberRef.get(FiberRef.currentLogAnnotations)
    const route = String(Option.getOrElse(HashMap.get(annotations, "route"), () => "none"))
    const elapsed = Number((yield* Clock.currentTimeNanos) - started) / 1e9
    yield* Metric.update(seconds({ method, route, status: String(response.status) }), elapsed)
    return response
  })
)
