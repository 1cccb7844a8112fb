import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import { FetchHttpClient } from "@effect/platform"
import { Effect, Layer, Logger, Option, Redacted } from "effect"
import type { Settings } from "../Settings.js"
import { askedTraces } from "./AskedTraces.js"

const Logs = ({ logFormat, logLevel }: Settings) => {
  const format = Option.getOrElse(logFormat, () => (process.stdout.isTTY ? "pretty" : "json"))
  return Layer.merge(format === "json" ? Logger.json : Logger.pretty, Logger.minimumLogLevel(logLevel))
}

/** Spans cost more than what they measure: they are made only where somebody collects them. */
const Traces = ({ otlpEndpoint }: Settings) =>
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
          (tracer) => Layer.setTracer(askedTraces(tracer))
        )
      ).pipe(Layer.provide(OtlpSerialization.layerJson), Layer.provide(FetchHttpClient.layer))
  })

/** Logs and traces, as operators want them. */
export const Telemetry = (settings: Settings) => Layer.merge(Logs(settings), Traces(settings))
