import { Schema } from "effect"
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
