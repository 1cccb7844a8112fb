import { type HttpApp, HttpServerError, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { RequestDeadline, requestDeadline } from "@switchboard/services/RequestDeadline"
import { Cause, Clock, Effect, FiberRef, HashMap, HashSet, LogLevel, Ref } from "effect"
import { logRequest } from "./AccessLog.js"
import { hasUnknownExpectation } from "./body/ExpectContinue.js"
import { compressResponse } from "./CompressResponse.js"
import { apiErrorOf, respondError } from "./ErrorResponse.js"
import { HttpSettings, Serving } from "./HttpSettings.js"
import { isWellFormedPath, pathOf } from "./RequestTarget.js"
import { requestIdOf, securityHeaders } from "./ResponseHeaders.js"
import { guardTruncation } from "./TruncationGuard.js"

/** The response to a request without `Host` (RFC 9112 section 3.2) or with an unsupported `Expect`. */
const protocolErrorResponse = (request: HttpServerRequest.HttpServerRequest) => {
  if (request.headers.host === undefined && NodeHttpServerRequest.toIncomingMessage(request).httpVersion === "1.1") {
    return respondError(new BadRequestError({ message: "The header Host is missing" }))
  }
  return hasUnknownExpectation(request)
    ? HttpServerResponse.setStatus(
        respondError(new BadRequestError({ message: "The header Expect must be 100-continue" })),
        417
      )
    : undefined
}

const isClientGone = (cause: Cause.Cause<unknown>) =>
  HashSet.has(Cause.interruptors(cause), HttpServerError.clientAbortFiberId)

/**
 * Middleware of all requests: turns failures into error responses, compresses bodies, adds headers, writes the access
 * log.
 */
export const responseMiddleware = Effect.gen(function* () {
  const { accessLog, corsOrigins } = yield* HttpSettings
  const logResponse = logRequest(accessLog ? LogLevel.Info : LogLevel.Debug)
  const serving = yield* Serving

  const corsHeaders = (origin: string | undefined): Record<string, string> =>
    origin !== undefined && corsOrigins.includes(origin)
      ? {
          "access-control-allow-origin": origin,
          "access-control-allow-headers":
            "content-type, authorization, x-api-key, idempotency-key, last-event-id, x-request-id, traceparent, tracestate, b3",
          "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
          "access-control-expose-headers":
            "x-request-id, location, idempotent-replayed, link, total-estimated, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset",
          vary: "origin"
        }
      : {}

  return <R>(app: HttpApp.Default<unknown, R>) =>
    Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const requestId = requestIdOf(request.headers)
      const started = yield* Clock.currentTimeMillis
      const phase = yield* Ref.get(serving)
      const origin = request.headers.origin
      const cors = corsHeaders(origin)
      const path = pathOf(request.url)
      const protocolError = protocolErrorResponse(request)
      const handled =
        protocolError !== undefined
          ? Effect.succeed(protocolError)
          : request.method === "OPTIONS" && "vary" in cors
            ? Effect.succeed(HttpServerResponse.empty({ status: 204 }))
            : phase === "draining" && path.startsWith("/v1/")
              ? Effect.succeed(
                  respondError(
                    new ServiceUnavailableError({ message: "The process is stopping", retryAfterSeconds: 1 })
                  )
                )
              : isWellFormedPath(path)
                ? app
                : new HttpServerError.RouteNotFound({ request })
      // Not restored: each request has its own fiber.
      yield* FiberRef.update(FiberRef.currentLogAnnotations, HashMap.set<string, unknown>("requestId", requestId))
      yield* FiberRef.set(requestDeadline, new RequestDeadline())
      const uncompressed = yield* Effect.catchAllCause(handled, (cause) =>
        isClientGone(cause)
          ? Effect.interruptWith(HttpServerError.clientAbortFiberId)
          : Effect.map(apiErrorOf(cause, request.url), respondError)
      )
      const response = guardTruncation(request, yield* compressResponse(request, uncompressed))
      // A stream has no deadline: each of its reads has its own timeout.
      yield* FiberRef.set(requestDeadline, null)
      yield* logResponse(request, response, started)
      return HttpServerResponse.setHeaders(response, {
        ...securityHeaders,
        ...response.headers,
        ...cors,
        ...("vary" in cors && "vary" in response.headers ? { vary: `${cors.vary}, ${response.headers.vary}` } : {}),
        "x-request-id": requestId,
        ...(phase === "serving" ? {} : { connection: "close" })
      })
    })
})
