import {
  HttpApiBuilder,
  HttpBody,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  HttpServerResponse
} from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { byLabels } from "@switchboard/services/ByLabels"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import {
  Cause,
  Clock,
  Context,
  Effect,
  Exit,
  FiberRef,
  HashMap,
  HashSet,
  LogLevel,
  Metric,
  MetricBoundaries,
  Ref,
  type Scope,
  Stream
} from "effect"
import { make } from "find-my-way-ts"
import { compressResponse } from "./Compression.js"
import { apiErrorOf, earlyResponse, respondErrorTo } from "./ErrorResponse.js"
import {
  CurrentRequest,
  HttpSettings,
  RequestInProgress,
  requestIdOf,
  Serving,
  type ServingPhase,
  securityHeaders,
  withContext
} from "./HttpContext.js"
import { isWellFormedPath, pathOf } from "./RequestParameters.js"

type Route<E, R> = HttpRouter.Route<E, R>

const typeId: HttpRouter.RouteContextTypeId = HttpRouter.RouteContextTypeId

/** The route of a request, with the values of its parameters. */
interface FoundRoute<E, R> {
  readonly route: Route<E, R>
  readonly routeContext: HttpRouter.RouteContext
  readonly searchParams: Readonly<Record<string, string | Array<string>>>
}

/**
 * Finds the route of a request by method and path. HEAD is served as GET if it has no route. Paths are case-sensitive
 * (RFC 3986 section 6.2.2.1).
 */
const routeFinder = <E, R>(routes: Iterable<Route<E, R>>) => {
  const router = make<Route<E, R>>({ caseSensitive: true })
  for (const route of routes) {
    if (route.method === "*") router.all(route.path, route)
    else router.on(route.method, route.path, route)
  }
  return ({ method, url }: HttpServerRequest.HttpServerRequest): FoundRoute<E, R> | undefined => {
    const found = router.find(method, url) ?? (method === "HEAD" ? router.find("GET", url) : undefined)
    if (found === undefined) return undefined
    const { handler: route, params, searchParams } = found
    return { route, routeContext: { [HttpRouter.RouteContextTypeId]: typeId, route, params }, searchParams }
  }
}

type CorsHeaders = Readonly<Record<string, string>>

const allowedHeaders =
  "content-type, authorization, x-api-key, idempotency-key, last-event-id, x-request-id, traceparent, tracestate, b3"
const exposedHeaders =
  "x-request-id, location, idempotent-replayed, link, total-estimated, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset"

/** The CORS headers of a response to an allowed origin. Undefined for other origins. */
const corsHeaders =
  (allowedOrigins: ReadonlyArray<string>) =>
  (origin: string | undefined): CorsHeaders | undefined =>
    origin !== undefined && allowedOrigins.includes(origin)
      ? {
          "access-control-allow-origin": origin,
          "access-control-allow-headers": allowedHeaders,
          "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
          "access-control-expose-headers": exposedHeaders
        }
      : undefined

/** The `Vary` header of a response to an allowed origin, which may have one of its own. */
const corsVary = (own: string | undefined): CorsHeaders => ({
  vary: own === undefined ? "origin" : `origin, ${own}`
})

/**
 * Destroys the connection of a streamed response that fails or is interrupted, so that the client detects the
 * truncation. The platform would end such a response like a complete one.
 */
export const guardTruncation = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { body } = response
  if (body._tag !== "Stream") return response
  const guarded = Stream.ensuringWith(body.stream, (exit) => {
    if (Exit.isSuccess(exit)) return Effect.void
    const destroyed = Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())
    return Cause.isInterruptedOnly(exit.cause)
      ? destroyed
      : Effect.zipRight(destroyed, Effect.logError("A response was truncated", exit.cause))
  })
  return HttpServerResponse.setBody(response, HttpBody.stream(guarded, body.contentType, body.contentLength))
}

/**
 * Logs one line per request. The annotations of its fiber add the id, the route, the organization and the id of the API
 * key; the path is left out, because it can contain a signed token. The line is built only if the level is enabled.
 */
export const logRequest =
  (level: LogLevel.LogLevel) =>
  (
    { method }: HttpServerRequest.HttpServerRequest,
    { status }: HttpServerResponse.HttpServerResponse,
    startedAt: number
  ): Effect.Effect<void> =>
    Effect.withFiberRuntime((fiber) =>
      LogLevel.greaterThan(fiber.getFiberRef(FiberRef.currentMinimumLogLevel), level)
        ? Effect.void
        : Effect.flatMap(Clock.currentTimeMillis, (now) =>
            Effect.annotateLogs(Effect.logWithLevel(level, "request"), { method, status, durationMs: now - startedAt })
          )
    )

/** In seconds. */
const boundaries = MetricBoundaries.fromIterable([0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5])

const seconds = byLabels(
  Metric.histogram(
    "switchboard_http_request_duration_seconds",
    boundaries,
    "Seconds from a request's headers to its response, by method, route and status"
  )
)

/** Records the duration of a request. A request without a route has the route `none`: its path is the caller's choice. */
const measureRequest = (method: string, route: string | undefined, status: number, elapsed: number): void =>
  seconds({ method, route: route ?? "none", status: String(status) }).unsafeUpdate(elapsed, [])

type Services = HttpServerRequest.HttpServerRequest | HttpRouter.HttpRouter.DefaultServices | Scope.Scope
type Response = HttpServerResponse.HttpServerResponse

/** The status of a request whose client disconnected, as in access logs of nginx. It is not sent. */
const clientGoneStatus = 499

const isClientGone = (cause: Cause.Cause<unknown>) =>
  HashSet.has(Cause.interruptors(cause), HttpServerError.clientAbortFiberId)

/** Runs the handler of a route. Its services are those of the fiber, the route, and the query parameters. */
const runRoute = <E, R>(
  { route, routeContext, searchParams }: FoundRoute<E, R>,
  current: RequestInProgress,
  services: Context.Context<R | HttpServerRequest.HttpServerRequest | Scope.Scope>
) => {
  const handled = Effect.flatMap(route.handler, HttpServerRespondable.toResponse)
  return withContext(
    route.uninterruptible ? handled : Effect.interruptible(handled),
    Context.merge(
      services,
      Context.make(HttpRouter.RouteContext, routeContext).pipe(
        Context.add(HttpServerRequest.ParsedSearchParams, searchParams),
        Context.add(CurrentRequest, current)
      )
    )
  )
}

/** Adds the log annotations of a request. The path is not logged: it can contain the token of a signed link. */
const annotate = (requestId: string, route: string | undefined) => (known: HashMap.HashMap<string, unknown>) => {
  const annotated = HashMap.set(known, "requestId", requestId)
  return route === undefined ? annotated : HashMap.set(annotated, "route", route)
}

/**
 * The application of all registered routes: finds the route of a request, turns failures into error responses, compresses
 * bodies, adds headers, measures, writes the access log. Every step costs each request, so this is one effect with few
 * operations, and not a middleware for each of them. The references of the fiber are not restored: each request has its
 * own fiber.
 */
export const serveRoutes = Effect.gen(function* () {
  const { accessLog, corsOrigins } = yield* HttpSettings
  const logResponse = logRequest(accessLog ? LogLevel.Info : LogLevel.Debug)
  const corsOf = corsHeaders(corsOrigins)
  const serving = yield* Serving
  const { router } = yield* HttpApiBuilder.Router
  const find = routeFinder((yield* router).routes)

  const serve = (services: Context.Context<Services>, phase: ServingPhase) =>
    Effect.withFiberRuntime<Response>((fiber) => {
      const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
      const startedAt = clock.unsafeCurrentTimeMillis()
      const started = clock.unsafeCurrentTimeNanos()
      const request = Context.get(services, HttpServerRequest.HttpServerRequest)
      const requestId = requestIdOf(request.headers)
      const cors = corsOf(request.headers.origin)
      const path = pathOf(request.url)
      const early = earlyResponse(request, { isCors: cors !== undefined, path, phase })
      const found = early === undefined && isWellFormedPath(path) ? find(request) : undefined
      const current = new RequestInProgress(requestId)
      if (found !== undefined && fiber.currentSpan?._tag === "Span") {
        fiber.currentSpan.attribute("http.route", found.route.path)
      }

      const complete = (response: Response) => {
        const completed = current.complete(response, {
          ...securityHeaders,
          ...response.headers,
          "x-request-id": requestId,
          ...(cors === undefined ? {} : { ...cors, ...corsVary(response.headers.vary) }),
          ...(phase === "serving" ? {} : { connection: "close" })
        })
        const elapsed = Number(clock.unsafeCurrentTimeNanos() - started) / 1e9
        measureRequest(request.method, found?.route.path, response.status, elapsed)
        return completed
      }

      const finish = (uncompressed: Response) =>
        Effect.flatMap(compressResponse(request, uncompressed), (compressed) => {
          const response = guardTruncation(request, compressed)
          const finished = Effect.map(logResponse(request, response, startedAt), () => complete(response))
          // A stream has no deadline: each of its reads has its own timeout.
          return response.body._tag === "Stream"
            ? Effect.zipRight(FiberRef.set(requestDeadline, null), finished)
            : finished
        })

      const fail = (cause: Cause.Cause<unknown>) => {
        if (!isClientGone(cause))
          return Effect.flatMap(apiErrorOf(cause, request.url), (error) => finish(respondErrorTo(request, error)))
        current.end(clientGoneStatus)
        return Effect.interruptWith(HttpServerError.clientAbortFiberId)
      }

      const handled =
        early !== undefined
          ? Effect.succeed(early)
          : found === undefined
            ? new HttpServerError.RouteNotFound({ request })
            : runRoute(found, current, services)
      return FiberRef.update(FiberRef.currentLogAnnotations, annotate(requestId, found?.route.path)).pipe(
        Effect.zipRight(FiberRef.set(requestDeadline, new RequestDeadline())),
        Effect.zipRight(Effect.matchCauseEffect(handled, { onFailure: fail, onSuccess: finish }))
      )
    })

  return Effect.contextWithEffect((services: Context.Context<Services>) =>
    Effect.flatMap(Ref.get(serving), (phase) => serve(services, phase))
  )
})
