import { Effect, Metric } from "effect"
import { SmtpPool } from "../smtp/client/SmtpPool.js"
import type { SmtpRelay } from "../smtp/client/SmtpRelay.js"

const stalledGauge = Metric.gauge("switchboard_smtp_stalled", {
  description: "Connections to the relay that have waited for a reply for more than 5 seconds"
})

/** Connections to a relay for as long as the scope is open, and a gauge of those that wait for it. */
export const relayPool = (relay: SmtpRelay, connections: number, use: "messages" | "forwards") =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const gauge = Metric.tagged(stalledGauge, "use", use)
      let stalled = 0
      gauge.unsafeUpdate(stalled, [])
      return new SmtpPool(relay, connections, (isStalled) => {
        stalled += isStalled ? 1 : -1
        gauge.unsafeUpdate(stalled, [])
      })
    }),
    (pool) => Effect.sync(() => pool.close())
  )
