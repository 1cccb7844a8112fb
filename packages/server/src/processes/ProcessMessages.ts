import type { Worker } from "node:cluster"
import { type Duration, Effect, Schema } from "effect"
import { MetricSamples } from "../telemetry/Prometheus.js"

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
