import { Effect, Metric } from "effect"
import { SmtpPool } from "../smtp/client/SmtpPool.js"
import type { SmtpRelay } from "../smtp/client/SmtpRelay.js"

const stalledGauge = Metric.gauge("switchboard_smtp_stalled", {
  description: "SMTP connections that have waited for a reply of the relay for more than 5 seconds"
})

/** A connection pool that closes with the scope, and a gauge of its stalled connections. */
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
