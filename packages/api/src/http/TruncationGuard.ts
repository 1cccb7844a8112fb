import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Effect, Exit, Stream } from "effect"

/**
 * Destroys the connection of a streamed response that fails or is interrupted, so that the client detects the
 * truncation. The platform would end such a response like a complete one. `name` is the subject of the log entry.
 */
export const guardTruncation = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  name: string,
  body: Stream.Stream<A, E, R>
): Stream.Stream<A, E, R> =>
  Stream.ensuringWith(body, (exit) => {
    if (Exit.isSuccess(exit)) return Effect.void
    const destroyed = Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())
    return Cause.isInterruptedOnly(exit.cause)
      ? destroyed
      : Effect.zipRight(destroyed, Effect.logError(`${name} was truncated`, exit.cause))
  })
