import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import {
  ApiError,
  BadRequestError,
  InternalError,
  isApiError,
  ResourceNotFoundError,
  ServiceUnavailableError
} from "@switchboard/domain/Errors"
import { Cause, Effect, Predicate, Schema } from "effect"
import { isResendPath, resendErrorForm } from "../resend/ResendError.js"
import { hasUnknownExpectation } from "./body/RequestBody.js"
import type { ServingPhase } from "./HttpContext.js"
import { pathOf } from "./RequestParameters.js"

const interrupted = new ServiceUnavailableError({
  message: "The request was interrupted before it ended; try again",
  retryAfterSeconds: 1
})

const internalError = new InternalError({ message: "An unexpected error. It has been logged with the request's id." })

/** Logs the cause of a defect. The response does not contain it. */
export const unexpected = (cause: Cause.Cause<unknown>) =>
  Effect.as(Effect.logError("A request failed unexpectedly", cause), internalError)

/** The error of the response to a failed request, by the cause of the failure. */
export const apiErrorOf = (cause: Cause.Cause<unknown>, target: string): Effect.Effect<ApiError> => {
  if (Cause.isInterruptedOnly(cause)) {
    return Effect.as(Effect.logWarning("A request was interrupted by the service", cause), interrupted)
  }
  const error = Cause.squash(cause)
  if (isApiError(error)) return Effect.succeed(error)
  if (Predicate.isTagged(error, "RouteNotFound")) {
    return Effect.succeed(new ResourceNotFoundError({ resource: "route", id: pathOf(target) }))
  }
  return unexpected(cause)
}

const encodeError = Schema.encodeSync(ApiError)

/** The scheme by which a caller can authenticate, which a 401 must name (RFC 9110 section 11.6.1). */
const challenge = { "www-authenticate": "Bearer" }

const headersOf = (error: ApiError): Readonly<Record<string, string>> => {
  if (error._tag === "UnauthorizedError") return challenge
  return "retryAfterSeconds" in error ? { "retry-after": String(error.retryAfterSeconds) } : {}
}

/** The body of an error (a flat object with `_tag`), its status and its headers. */
export const errorResponse = (error: ApiError) => ({
  body: encodeError(error),
  status: error.status,
  headers: headersOf(error)
})

/** The response of an error. */
export const respondError = (error: ApiError) => {
  const { body, headers, status } = errorResponse(error)
  return HttpServerResponse.unsafeJson(body, { status, headers })
}

type Request = HttpServerRequest.HttpServerRequest

/** The response of an error to a request, in the form of the API that its path belongs to. */
export const respondErrorTo = (request: Request, error: ApiError) => {
  const form = resendErrorForm(request, error)
  if (form === null) return respondError(error)
  const headers = { ...headersOf(error), ...(form.statusCode === 401 ? challenge : {}) }
  return HttpServerResponse.unsafeJson(form, { status: form.statusCode, headers })
}

/** The response to a request without `Host` (RFC 9112 section 3.2) or with an unsupported `Expect`. */
const protocolErrorResponse = (request: Request) => {
  if (request.headers.host === undefined && NodeHttpServerRequest.toIncomingMessage(request).httpVersion === "1.1") {
    return respondErrorTo(request, new BadRequestError({ message: "The header Host is missing" }))
  }
  return hasUnknownExpectation(request)
    ? HttpServerResponse.setStatus(
        respondErrorTo(request, new BadRequestError({ message: "The header Expect must be 100-continue" })),
        417
      )
    : undefined
}

const stopping = new ServiceUnavailableError({ message: "The process is stopping", retryAfterSeconds: 1 })

interface Circumstances {
  readonly path: string
  readonly isCors: boolean
  readonly phase: ServingPhase
}

/** The response to a request that reaches no route. Undefined: it may reach one. */
export const earlyResponse = (
  request: Request,
  { isCors, path, phase }: Circumstances
): HttpServerResponse.HttpServerResponse | undefined => {
  const protocolError = protocolErrorResponse(request)
  if (protocolError !== undefined) return protocolError
  if (isCors && request.method === "OPTIONS") return HttpServerResponse.empty({ status: 204 })
  return phase === "draining" && (path.startsWith("/v1/") || isResendPath(path))
    ? respondErrorTo(request, stopping)
    : undefined
}
