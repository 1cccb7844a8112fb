import cluster from "node:cluster"
import { Effect, Layer, Metric, Runtime, Schema } from "effect"
import { readGauges } from "../telemetry/Gauges.js"
import { metricSamples } from "../telemetry/Prometheus.js"
import { isQueueMetric } from "../telemetry/QueueMetrics.js"
import {
  AllMetricsRequest,
  MetricsResponse,
  ProcessMetricsRequest,
  requestMetrics,
  Stop,
  supervisedVariable
} from "./ProcessMessages.js"

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
