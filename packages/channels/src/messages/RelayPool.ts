import { byLabels } from "@switchboard/services/ByLabels"
import { RelayFaults } from "@switchboard/services/messages/delivery/MailTransport"
import { Effect, Metric, MetricBoundaries, Runtime } from "effect"
import { envelopeOverlap, SmtpPool } from "../smtp/client/SmtpPool.js"
import { relayName, type SmtpRelay } from "../smtp/client/SmtpRelay.js"

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

/** An overlap whose end is logged and stored. */
const recordedOverlap = (relay: SmtpRelay) =>
  Effect.gen(function* () {
    const { record } = yield* RelayFaults
    const runtime = yield* Effect.runtime()
    const name = relayName(relay)
    const report = Effect.logWarning(
      "The relay replies to the next envelope before it replies to a mail: envelopes are sent one after the other"
    ).pipe(Effect.annotateLogs("relay", name), Effect.zipRight(record(name)), Effect.ignoreLogged)
    return envelopeOverlap(() => Runtime.runFork(runtime)(report))
  })

/** A connection pool that closes with the scope, and metrics of its stalled connections and of its waits for the relay. */
export const relayPool = (relay: SmtpRelay, connections: number, use: "messages" | "forwards") =>
  Effect.acquireRelease(
    Effect.map(recordedOverlap(relay), (overlap) => {
      const gauge = stalledGauges({ use })
      let stalled = 0
      gauge.unsafeUpdate(stalled, [])
      return new SmtpPool(
        relay,
        connections,
        {
          stalled: (isStalled) => {
            stalled += isStalled ? 1 : -1
            gauge.unsafeUpdate(stalled, [])
          },
          replied: (stage, milliseconds) =>
            stepSeconds({ step: stage.toLowerCase() }).unsafeUpdate(milliseconds / 1_000, [])
        },
        overlap
      )
    }),
    (pool) => Effect.sync(() => pool.close())
  )
