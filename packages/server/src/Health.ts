import { HttpApiBuilder, HttpServerResponse } from "@effect/platform"
import type { SqlClient } from "@effect/sql"
import { respondError } from "@switchboard/api/Respond"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { QueueDepths } from "@switchboard/services/queues/QueueDepths"
import { pendingMigrations } from "@switchboard/store/migrations/Migrations"
import { acceptsWrites } from "@switchboard/store/RefusedWrites"
import { Effect, Metric, Ref } from "effect"
import { prometheusText } from "./Prometheus.js"
import { readQueues } from "./QueueMetrics.js"

const well = (status: string) => HttpServerResponse.unsafeJson({ status })
const unavailable = (message: string) => respondError(new ServiceUnavailableError({ message, retryAfterSeconds: 1 }))

/** The metrics of the process, with how much waits in the queues now. */
export const metricsText = Effect.map(Effect.zipRight(readQueues, Metric.snapshot), prometheusText)

/** Whether this process can serve: the database answers and accepts writes, and its schema is this release's. */
const readiness = Effect.gen(function* () {
  const behind = yield* Effect.orElseSucceed(pendingMigrations, () => null)
  if (behind === null) return unavailable("The database can't be reached")
  if (behind !== 0) return unavailable("The database's schema is not this release's")
  return (yield* acceptsWrites) ? well("ready") : unavailable("The database refuses writes")
})

/** Liveness, readiness and metrics, outside the API's version. */
export const Health = (draining: Ref.Ref<boolean>, withMetrics: boolean) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient.SqlClient | QueueDepths>()
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
