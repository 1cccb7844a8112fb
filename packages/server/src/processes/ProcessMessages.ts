import type { Worker } from "node:cluster"
import { type Duration, Effect, Schema } from "effect"
import { MetricSamples } from "../telemetry/Prometheus.js"

/** The environment variable that tells a process that it has a supervisor. */
export const supervisedVariable = "SWITCHBOARD_SUPERVISED"

const id = Schema.Number
const metrics = Schema.Array(MetricSamples)

/** Tells a process to stop. A signal is not enough: the terminal may have sent one, and a second one ends it at once. */
export const Stop = Schema.TaggedStruct("Stop", {})

/** A process asks its supervisor for the metrics of all others. */
export const MetricsAsked = Schema.TaggedStruct("MetricsAsked", { id })

/** The supervisor asks a process for its own metrics. */
export const MetricsWanted = Schema.TaggedStruct("MetricsWanted", { id })

/** The metrics of a process, or of all others: the answer to the message with this id. */
export const MetricsTold = Schema.TaggedStruct("MetricsTold", { id, metrics })

let asked = 0

/** Asks the other end for metrics: none where it does not answer in time. */
export const askMetrics = (
  other: Worker,
  question: typeof MetricsAsked | typeof MetricsWanted,
  timeout: Duration.DurationInput
) =>
  Effect.async<typeof MetricsTold.Type.metrics>((resume) => {
    const id = asked++
    const listener = (message: unknown) => {
      if (Schema.is(MetricsTold)(message) && message.id === id) resume(Effect.succeed(message.metrics))
    }
    other.on("message", listener)
    other.send(question.make({ id }))
    return Effect.sync(() => other.off("message", listener))
  }).pipe(
    Effect.timeout(timeout),
    Effect.catchTag("TimeoutException", () => Effect.succeed([]))
  )
