import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import { Settings } from "../settings/Settings.js"
import { requestTraces } from "./RequestTraces.js"

const Logs = Settings.layer(({ logFormat, logLevel }) => {
  const format = Option.getOrElse(logFormat, () => (process.stdout.isTTY ? "pretty" : "json"))
  return Layer.merge(format === "json" ? Logger.json : Logger.pretty, Logger.minimumLogLevel(logLevel))
})

/** Spans cost more than the work that they measure: without a collector, tracing is off. */
const Traces = Settings.layer(({ otlpEndpoint }) =>
  Option.match(otlpEndpoint, {
    onNone: () => Layer.setTracerEnabled(false),
    onSome: (endpoint) =>
      Layer.unwrapScoped(
        Effect.map(
          OtlpTracer.make({
            url: `${Redacted.value(endpoint).replace(/\/$/, "")}/v1/traces`,
            resource: { serviceName: "switchboard" },
            exportInterval: "1 second"
          }),
          (tracer) => Layer.setTracer(requestTraces(tracer))
        )
      ).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))
  })
)

/** Logs and traces as configured. */
export const Telemetry = Layer.merge(Logs, Traces)
