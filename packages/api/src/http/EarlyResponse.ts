import { type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import { hasUnknownExpectation } from "./body/ExpectContinue.js"
import { respondError } from "./ErrorResponse.js"
import type { ServingPhase } from "./HttpSettings.js"

type Request = HttpServerRequest.HttpServerRequest

/** The response to a request without `Host` (RFC 9112 section 3.2) or with an unsupported `Expect`. */
const protocolErrorResponse = (request: Request) => {
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
  return phase === "draining" && path.startsWith("/v1/") ? respondError(stopping) : undefined
}
