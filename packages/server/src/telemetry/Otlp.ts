import { hostname } from "node:os"
import * as OtlpMetrics from "@effect/opentelemetry/OtlpMetrics"
import * as OtlpSerialization from "@effect/opentelemetry/OtlpSerialization"
import * as OtlpTracer from "@effect/opentelemetry/OtlpTracer"
import { FetchHttpClient } from "@effect/platform"
import { type Context, Effect, type Exit, Layer, Logger, Option, Redacted, Schedule, Tracer } from "effect"
import { Parts } from "../run/Parts.js"
import { Settings } from "../settings/Settings.js"
import { readGauges, readQueues } from "./Gauges.js"

/** A span that is not exported. */
class UncollectedSpan implements Tracer.Span {
  readonly _tag = "Span"
  readonly spanId = "0000000000000000"
  readonly traceId = "00000000000000000000000000000000"
  readonly sampled = false
  readonly attributes: ReadonlyMap<string, unknown> = new Map()
  readonly links: ReadonlyArray<Tracer.SpanLink> = []
  status: Tracer.SpanStatus

  constructor(
    readonly name: string,
    readonly parent: Option.Option<Tracer.AnySpan>,
    readonly context: Context.Context<never>,
    startTime: bigint,
    readonly kind: Tracer.SpanKind
  ) {
    this.status = { _tag: "Started", startTime }
  }

  end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    this.status = { _tag: "Ended", startTime: this.status.startTime, endTime, exit }
  }
  attribute(): void {}
  event(): void {}
  addLinks(): void {}
}

/**
 * Exports spans of requests to the server: it begins a trace or continues the caller's, if that is sampled. Work outside
 * requests (polling, batches of messages) is not exported: each round would be a separate trace.
 */
const requestTraces = (tracer: Tracer.Tracer): Tracer.Tracer =>
  Tracer.make({
    context: tracer.context,
    span: (name, parent, context, links, startTime, kind, options) =>
      Option.match(parent, { onNone: () => kind === "server", onSome: ({ sampled }) => sampled })
        ? tracer.span(name, parent, context, links, startTime, kind, options)
        : new UncollectedSpan(name, parent, context, startTime, kind)
  })

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

/** Colours are for terminals, except with NO_COLOR (no-color.org). */
const hasColors = (stream: NodeJS.WriteStream) => stream.isTTY === true && !process.env.NO_COLOR

/** Servers log to standard output. Other commands log to standard error, since their output is read by programs. */
const Logs = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { logFormat, logLevel } = yield* Settings
    const { api, worker } = yield* Parts
    const isServer = api || worker
    const stream = isServer ? process.stdout : process.stderr
    const isJson = Option.match(logFormat, { onNone: () => !stream.isTTY, onSome: (format) => format === "json" })
    const logger = isJson
      ? (isServer ? Logger.withConsoleLog : Logger.withConsoleError)(Logger.jsonLogger)
      : Logger.prettyLogger({ colors: hasColors(stream), stderr: !isServer })
    return Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(logLevel))
  })
)

/** Logs and traces as configured. */
export const Telemetry = Layer.merge(Logs, Traces)
