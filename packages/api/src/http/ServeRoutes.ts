import {
  HttpApiBuilder,
  HttpRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerRespondable,
  type HttpServerResponse
} from "@effect/platform"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { Cause, Clock, Context, Effect, FiberRef, HashMap, HashSet, LogLevel, Ref, type Scope } from "effect"
import { logRequest } from "./AccessLog.js"
import { compressResponse } from "./CompressResponse.js"
import { corsHeaders, corsVary } from "./CorsHeaders.js"
import { CurrentRequest, RequestInProgress } from "./CurrentRequest.js"
import { earlyResponse } from "./EarlyResponse.js"
import { apiErrorOf, respondError } from "./ErrorResponse.js"
import { HttpSettings, Serving, type ServingPhase } from "./HttpSettings.js"
import { measureRequest } from "./MeasureRequests.js"
import { isWellFormedPath, pathOf } from "./RequestTarget.js"
import { requestIdOf, securityHeaders } from "./ResponseHeaders.js"
import { type FoundRoute, routeFinder } from "./RouteFinder.js"
import { guardTruncation } from "./TruncationGuard.js"
import { withContext } from "./WithContext.js"

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
      const current = new RequestInProgress()
      if (found !== undefined && fiber.currentSpan?._tag === "Span") {
        fiber.currentSpan.attribute("http.route", found.route.path)
      }

      const complete = (response: Response) => {
        // Not an object spread: V8 makes a hidden class for each object that gets a property after one.
        const headers = Object.assign({}, securityHeaders, response.headers, { "x-request-id": requestId })
        if (cors !== undefined) Object.assign(headers, cors, corsVary(response.headers.vary))
        const made = current.complete(
          response,
          phase === "serving" ? headers : Object.assign(headers, { connection: "close" })
        )
        const elapsed = Number(clock.unsafeCurrentTimeNanos() - started) / 1e9
        measureRequest(request.method, found?.route.path, response.status, elapsed)
        return made
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
          return Effect.flatMap(apiErrorOf(cause, request.url), (error) => finish(respondError(error)))
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
