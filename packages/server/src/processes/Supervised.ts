import cluster from "node:cluster"
import { Effect, Layer, Metric, Runtime, Schema } from "effect"
import { metricSamples } from "../telemetry/Prometheus.js"
import { isQueueMetric } from "../telemetry/QueueMetrics.js"
import { askMetrics, MetricsAsked, MetricsTold, MetricsWanted, Stop, supervisedVariable } from "./ProcessMessages.js"

/** The connection of this process to its supervisor; undefined without one. */
const own = process.env[supervisedVariable] === undefined ? undefined : cluster.worker

/** How long the supervisor may take to gather the metrics of other processes: Prometheus waits ten seconds. */
const gatherTimeout = "9 seconds"

/** Listened for from the start: a message without a listener is lost. */
const stopMessage = new Promise<void>((resolve) => {
  own?.on("message", (message) => {
    if (Schema.is(Stop)(message)) resolve()
  })
})

/** Ends when the supervisor tells this process to stop: never without a supervisor. */
export const stopTold = Effect.promise(() => stopMessage)

/** Leaves the supervisor, whose connection would keep this process. */
export const leave = Effect.sync(() => void own?.disconnect())

/** The metrics of the other processes of the supervisor; those that do not tell theirs in time are left out. */
export const metricsOfOthers = own === undefined ? Effect.succeed([]) : askMetrics(own, MetricsAsked, gatherTimeout)

/** Tells the supervisor the metrics of this process. How much waits in queues is the same for all: only one may tell it. */
export const TellMetrics = Layer.effectDiscard(
  Effect.map(Effect.runtime(), (runtime) => {
    const tell = (id: number) =>
      Effect.map(Metric.snapshot, (pairs) => {
        const metrics = metricSamples(pairs).filter(({ name }) => !isQueueMetric(name))
        own?.send(MetricsTold.make({ id, metrics }))
      })
    own?.on("message", (message) => {
      if (Schema.is(MetricsWanted)(message)) Runtime.runFork(runtime)(tell(message.id))
    })
  })
)
