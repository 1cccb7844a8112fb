import { hostname } from "node:os"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer, Option, Redacted, Schedule } from "effect"
import { Settings } from "../settings/Settings.js"
import { readGauges } from "./Gauges.js"
import { readQueues } from "./QueueMetrics.js"
import { requestTraces } from "./RequestTraces.js"

/** How often metrics are exported. */
const metricsInterval = "10 seconds"

/** The exporter of a signal. Each process is an instance of the service, so that their metrics are not mixed. */
const exporter = (
  { otlpHeaders, serviceName }: typeof Settings.Service,
  endpoint: Redacted.Redacted,
  path: string
) => ({
  url: `${Redacted.value(endpoint).replace(/\/$/, "")}${path}`,
  headers: Option.getOrUndefined(Option.map(otlpHeaders, Redacted.value)),
  resource: { serviceName, attributes: { "service.instance.id": `${hostname()}:${process.pid}` } }
})

const Http = Layer.merge(OtlpSerialization.layerJson, FetchHttpClient.layer)

/** Spans cost more than the work that they measure: without a collector, tracing is off. */
export const Traces = Settings.layer((settings) =>
  Option.match(settings.otlpEndpoint, {
    onNone: () => Layer.setTracerEnabled(false),
    onSome: (endpoint) =>
      Layer.unwrapScoped(
        Effect.map(
          OtlpTracer.make({ ...exporter(settings, endpoint, "/v1/traces"), exportInterval: "1 second" }),
          (tracer) => Layer.setTracer(requestTraces(tracer))
        )
      ).pipe(Layer.provide(Http))
  })
)

/** Exports the metrics of this process; its gauges are current at each export. Without a collector it does nothing. */
export const ExportedMetrics = Settings.layer((settings) =>
  Option.match(settings.otlpEndpoint, {
    onNone: () => Layer.empty,
    onSome: (endpoint) =>
      Layer.merge(
        Layer.scopedDiscard(
          Effect.zipRight(readGauges, readQueues).pipe(
            Effect.repeat(Schedule.spaced(metricsInterval)),
            Effect.forkScoped
          )
        ),
        OtlpMetrics.layer({ ...exporter(settings, endpoint, "/v1/metrics"), exportInterval: metricsInterval }).pipe(
          Layer.provide(Http)
        )
      )
  })
)
