import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import type { SqlClient } from "@effect/sql"
import { respondError } from "@switchboard/api/Respond"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DeliveryQueue } from "@switchboard/services/messages/DeliveryQueue"
import { pendingMigrations } from "@switchboard/store/migrations/Migrations"
import { Effect, Metric, Ref } from "effect"
import { prometheusText } from "./Prometheus.js"

const ready = Metric.gauge("switchboard_queue_ready", { description: "Messages that wait for a worker" })
const leased = Metric.gauge("switchboard_queue_leased", { description: "Messages that workers hold" })
const waiting = Metric.gauge("switchboard_queue_waiting", { description: "Scheduled messages and retries" })

const well = (status: string) => HttpServerResponse.unsafeJson({ status })
const unavailable = (message: string) => respondError(new ServiceUnavailableError({ message, retryAfterSeconds: 1 }))

/** The metrics of the process, with the depth of the queue as it is now. */
export const metricsText = Effect.gen(function* () {
  const queue = yield* DeliveryQueue
  yield* Effect.ignore(
    Effect.flatMap(queue.depth, (depth) =>
      Effect.all([Metric.set(ready, depth.ready), Metric.set(leased, depth.leased), Metric.set(waiting, depth.waiting)])
    )
  )
  return prometheusText(yield* Metric.snapshot)
})

/** Whether this process can serve: the database answers, its schema is this release's, and nobody is stopping it. */
const readiness = Effect.gen(function* () {
  const behind = yield* Effect.orElseSucceed(pendingMigrations, () => null)
  if (behind === null) return unavailable("The database can't be reached")
  return behind === 0 ? well("ready") : unavailable("The database's schema is not this release's")
})

/** Liveness, readiness and metrics, outside the API's version. */
export const Health = (draining: Ref.Ref<boolean>, withMetrics: boolean) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient.SqlClient | DeliveryQueue>()
      yield* router.get("/healthz", well("alive"))
      yield* router.get(
        "/readyz",
        Effect.flatMap(Ref.get(draining), (stopping) =>
          stopping ? Effect.succeed(unavailable("The process is stopping")) : Effect.provide(readiness, context)
        )
      )
      if (withMetrics) {
        yield* router.get(
          "/metrics",
          Effect.map(Effect.provide(metricsText, context), (text) =>
            HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
          )
        )
      }
    })
  )
