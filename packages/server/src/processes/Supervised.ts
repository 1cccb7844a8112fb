import type { Worker } from "node:cluster"
import cluster from "node:cluster"
import { type Duration, Effect, Layer, Metric, Runtime, Schema } from "effect"
import { isQueueMetric, readGauges } from "../telemetry/Gauges.js"
import { MetricSamples, metricSamples } from "../telemetry/Prometheus.js"

/** This environment variable is set in processes that have a supervisor. */
export const supervisedVariable = "SWITCHBOARD_SUPERVISED"

const id = Schema.Number
const metrics = Schema.Array(MetricSamples)

/** Stops a process gracefully. Not a signal: the terminal may have sent one, and a second one ends the process at once. */
export const Stop = Schema.TaggedStruct("Stop", {})

/** From a process to its supervisor: requests the metrics of all other processes. */
export const AllMetricsRequest = Schema.TaggedStruct("AllMetricsRequest", { id })

/** From the supervisor to a process: requests its own metrics. */
export const ProcessMetricsRequest = Schema.TaggedStruct("ProcessMetricsRequest", { id })

/** The response to `ProcessMetricsRequest` or `AllMetricsRequest`, with the same id. */
export const MetricsResponse = Schema.TaggedStruct("MetricsResponse", { id, metrics })

let nextId = 0

/** Requests metrics from the other process; empty if it does not respond in time. */
export const requestMetrics = (
  other: Worker,
  request: typeof AllMetricsRequest | typeof ProcessMetricsRequest,
  timeout: Duration.DurationInput
) =>
  Effect.async<typeof MetricsResponse.Type.metrics>((resume) => {
    const id = nextId++
    const listener = (message: unknown) => {
      if (!Schema.is(MetricsResponse)(message) || message.id !== id) return
      other.off("message", listener)
      resume(Effect.succeed(message.metrics))
    }
    other.on("message", listener)
    other.send(request.make({ id }))
    return Effect.sync(() => other.off("message", listener))
  }).pipe(
    Effect.timeout(timeout),
    Effect.catchTag("TimeoutException", () => Effect.succeed([]))
  )

/** The connection of this process to its supervisor; undefined without one. */
const supervisor = process.env[supervisedVariable] === undefined ? undefined : cluster.worker

/** Timeout for the metrics of the other processes; Prometheus's default scrape timeout is 10 seconds. */
const gatherTimeout = "9 seconds"

/** Registered at the start: a message without a listener is lost. */
const stopMessage = new Promise<void>((resolve) => {
  supervisor?.on("message", (message) => {
    if (Schema.is(Stop)(message)) resolve()
  })
})

/** Completes when the supervisor sends `Stop`; never without a supervisor. */
export const stopRequested = Effect.promise(() => stopMessage)

/** Closes the connection to the supervisor, which would keep this process alive. */
export const leave = Effect.sync(() => void supervisor?.disconnect())

/** The metrics of the other processes of the supervisor, except processes that do not respond in time. */
export const metricsOfOthers =
  supervisor === undefined ? Effect.succeed([]) : requestMetrics(supervisor, AllMetricsRequest, gatherTimeout)

/** Responds to the supervisor with the metrics of this process, except queue depths, which all processes share. */
export const MetricsResponder = Layer.effectDiscard(
  Effect.map(Effect.runtime(), (runtime) => {
    const respond = (id: number) =>
      Effect.map(Effect.zipRight(readGauges, Metric.snapshot), (pairs) => {
        const metrics = metricSamples(pairs).filter(({ name }) => !isQueueMetric(name))
        supervisor?.send(MetricsResponse.make({ id, metrics }))
      })
    supervisor?.on("message", (message) => {
      if (Schema.is(ProcessMetricsRequest)(message)) Runtime.runFork(runtime)(respond(message.id))
    })
  })
)
