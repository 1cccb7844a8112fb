import { HttpApiBuilder, HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import type { SqlClient } from "@effect/sql"
import { isWithin, plainAddress } from "@switchboard/api/http/ClientAddress"
import { respondError } from "@switchboard/api/http/ErrorResponse"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { QueueDepths } from "@switchboard/services/queues/QueueDepths"
import { acceptsWrites } from "@switchboard/store/database/RefusedWrites"
import { pendingMigrations } from "@switchboard/store/migrations/Migrations"
import { Effect, Metric, Option, Ref } from "effect"
import { prometheusText } from "../telemetry/Prometheus.js"
import { readQueues } from "../telemetry/QueueMetrics.js"

const well = (status: string) => HttpServerResponse.unsafeJson({ status })
const unavailable = (message: string) => respondError(new ServiceUnavailableError({ message, retryAfterSeconds: 1 }))

/** The metrics of the process, with how much waits in the queues now. */
const metricsText = Effect.map(Effect.zipRight(readQueues, Metric.snapshot), prometheusText)

/** Whether this process can serve: the database answers and accepts writes, and its schema is this release's. */
const readiness = Effect.gen(function* () {
  const behind = yield* Effect.orElseSucceed(pendingMigrations, () => null)
  if (behind === null) return unavailable("The database can't be reached")
  if (behind !== 0) return unavailable("The database's schema is not this release's")
  return (yield* acceptsWrites) ? well("ready") : unavailable("The database refuses writes")
})

const alive = well("alive")

const ready = (draining: Ref.Ref<boolean>) =>
  Effect.flatMap(Ref.get(draining), (stopping) =>
    stopping ? Effect.succeed(unavailable("The process is stopping")) : readiness
  )

const metrics = Effect.map(metricsText, (text) =>
  HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

const isLoopback = isWithin(["127.0.0.0/8", "::1/128"])

/** Whether a process of this host asks directly, rather than through a proxy. */
const isFromThisHost = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) =>
  Option.exists(remoteAddress, (address) => isLoopback(plainAddress(address))) &&
  headers["x-forwarded-for"] === undefined &&
  headers.forwarded === undefined

const metricsForThisHost = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  isFromThisHost(request) ? metrics : new HttpServerError.RouteNotFound({ request })
)

/** Liveness and readiness beside the API; metrics too where they have no port of their own, for this host alone. */
export const Health = (draining: Ref.Ref<boolean>, withMetrics: boolean) =>
  HttpApiBuilder.Router.use((router) =>
    Effect.gen(function* () {
      const context = yield* Effect.context<SqlClient.SqlClient | QueueDepths>()
      yield* router.get("/healthz", alive)
      yield* router.get("/readyz", Effect.provide(ready(draining), context))
      if (withMetrics) yield* router.get("/metrics", Effect.provide(metricsForThisHost, context))
    })
  )

/** Metrics, liveness and readiness on a port of their own. */
export const healthRouter = (draining: Ref.Ref<boolean>) =>
  HttpRouter.empty.pipe(
    HttpRouter.get("/metrics", metrics),
    HttpRouter.get("/healthz", alive),
    HttpRouter.get("/readyz", ready(draining))
  )
