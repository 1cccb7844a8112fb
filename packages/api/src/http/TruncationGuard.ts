import { HttpBody, type HttpServerRequest, HttpServerResponse } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Effect, Exit, Stream } from "effect"

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
