import { byLabels } from "@switchboard/services/ByLabels"
import { Effect, Metric, MetricBoundaries } from "effect"
import { SmtpPool } from "../smtp/client/SmtpPool.js"
import type { SmtpRelay } from "../smtp/client/SmtpRelay.js"

const stalledGauges = byLabels(
  Metric.gauge("switchboard_smtp_stalled", {
    description: "SMTP connections that have waited for a reply of the relay for more than 5 seconds"
  })
)

/** In seconds. */
const boundaries = MetricBoundaries.fromIterable([0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30])

const stepSeconds = byLabels(
  Metric.histogram(
    "switchboard_smtp_step_duration_seconds",
    boundaries,
    "Seconds until the relay replied, by step of the SMTP session"
  )
)

/** A connection pool that closes with the scope, and metrics of its stalled connections and of its waits for the relay. */
export const relayPool = (relay: SmtpRelay, connections: number, use: "messages" | "forwards") =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const gauge = stalledGauges({ use })
      let stalled = 0
      gauge.unsafeUpdate(stalled, [])
      return new SmtpPool(relay, connections, {
        stalled: (isStalled) => {
          stalled += isStalled ? 1 : -1
          gauge.unsafeUpdate(stalled, [])
        },
        replied: (stage, milliseconds) =>
          stepSeconds({ step: stage.toLowerCase() }).unsafeUpdate(milliseconds / 1_000, [])
      })
    }),
    (pool) => Effect.sync(() => pool.close())
  )
