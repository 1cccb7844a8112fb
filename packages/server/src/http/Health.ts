import { createServer } from "node:http"
import {
  HttpApiBuilder,
  HttpRouter,
  HttpServer,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import type { SqlClient } from "@effect/sql"
import { AuditedOperations } from "@switchboard/api/audit/AuditedOperations"
import { BodyBudget } from "@switchboard/api/http/body/BodyBudget"
import { respondError } from "@switchboard/api/http/ErrorResponse"
import { Serving } from "@switchboard/api/http/HttpContext"
import { withBodies } from "@switchboard/api/http/WithBodies"
import { PublicRoutes } from "@switchboard/api/openapi/PublicRoutes"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { plainAddress } from "@switchboard/services/network/AddressNetwork"
import type { QueueDepths } from "@switchboard/services/queues/WorkQueue"
import { acceptsWrites } from "@switchboard/store/database/Unavailable"
import { schemaState } from "@switchboard/store/migrations/Migrations"
import { Data, Effect, Layer, Metric, Option, Ref } from "effect"
import { metricsOfOthers } from "../processes/Supervised.js"
import { isLoopback } from "../settings/BaseUrl.js"
import { Settings } from "../settings/Settings.js"
import { readGauges, readQueues } from "../telemetry/Gauges.js"
import { addSamples, metricSamples, prometheusText } from "../telemetry/Prometheus.js"

/** The process can't listen on a port; the message has the address and the setting to change. */
export class ListenFailed extends Data.TaggedError("ListenFailed")<{ readonly message: string }> {}

/** Turns the platform's error into a message for the operator. */
export const listenFailed =
  (what: string, { host, port, setting }: { readonly host: string; readonly port: number; readonly setting: string }) =>
  ({ cause }: HttpServerError.ServeError) =>
    new ListenFailed({
      message: `${what} can't listen on ${host}:${port} (${cause instanceof Error ? cause.message : String(cause)}): set ${setting} to a free port`
    })

const respondOk = (status: string) => HttpServerResponse.unsafeJson({ status })
const unavailable = (message: string) => respondError(new ServiceUnavailableError({ message, retryAfterSeconds: 1 }))

/** The metrics of this process and of the other processes of its supervisor, with the current queue depths. */
const metricsText = Effect.gen(function* () {
  yield* readQueues
  yield* readGauges
  const own = metricSamples(yield* Metric.snapshot)
  return prometheusText(addSamples([...own, ...(yield* metricsOfOthers)]))
})

/** Ready if the database can be reached and accepts writes, and this release can run on its schema. */
const readiness = Effect.gen(function* () {
  const schema = yield* Effect.orElseSucceed(schemaState, () => null)
  if (schema === null) return unavailable("The database can't be reached")
  if (schema.pending.length > 0) return unavailable("The database's schema is that of an older release")
  if (schema.refusal !== null) return unavailable("The database's schema requires a newer release")
  return (yield* acceptsWrites) ? respondOk("ready") : unavailable("The database refuses writes")
})

const alive = respondOk("alive")

const ready = Effect.flatMap(Effect.flatMap(Serving, Ref.get), (phase) =>
  phase === "serving" ? readiness : Effect.succeed(unavailable("The process is stopping"))
)

const metrics = Effect.map(metricsText, (text) =>
  HttpServerResponse.text(text, { contentType: "text/plain; version=0.0.4; charset=utf-8" })
)

/** Whether a process of this host sent the request, and not through a proxy. */
const isFromThisHost = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest) =>
  Option.exists(remoteAddress, (address) => isLoopback(plainAddress(address))) &&
  headers["x-forwarded-for"] === undefined &&
  headers.forwarded === undefined

const metricsForThisHost = Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
  isFromThisHost(request) ? metrics : new HttpServerError.RouteNotFound({ request })
)

/** Liveness and readiness on the port of the API. */
export const Health = HttpApiBuilder.group(
  PublicRoutes,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const context = yield* Effect.context<Serving | SqlClient.SqlClient>()
    return yield* handlers
      .handle("alive", () => Effect.succeed(alive))
      .handle("ready", () => Effect.provide(ready, context))
      .pipe(withBodies)
  })
).pipe(Layer.provide([HttpApiBuilder.Router.Live, BodyBudget.Default, AuditedOperations.Default]))

/** The metrics on the port of the API if `METRICS_PORT` is not set: only for requests of the same host. */
export const LocalMetrics = Settings.layer(({ metricsPort }) =>
  Option.isSome(metricsPort)
    ? Layer.empty
    : HttpApiBuilder.Router.use((router) =>
        Effect.flatMap(Effect.context<SqlClient.SqlClient | QueueDepths>(), (context) =>
          router.get("/metrics", Effect.provide(metricsForThisHost, context))
        )
      )
)

const healthRouter = HttpRouter.empty.pipe(
  HttpRouter.get("/metrics", metrics),
  HttpRouter.get("/healthz", alive),
  HttpRouter.get("/readyz", ready)
)

/** Metrics, liveness and readiness on `METRICS_PORT`, which clients of the API need not reach. */
export const MetricsServer = Settings.layer(({ metricsHost: host, metricsPort }) =>
  Option.match(metricsPort, {
    onNone: () => Layer.empty,
    onSome: (port) =>
      Layer.provide(
        HttpServer.serve(healthRouter),
        Layer.mapError(
          NodeHttpServer.layer(createServer, { host, port }),
          listenFailed("Metrics", { host, port, setting: "METRICS_PORT" })
        )
      )
  })
)
