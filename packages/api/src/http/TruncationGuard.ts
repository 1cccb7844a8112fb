import type { HttpServerRequest } from "@effect/platform"
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Cause, Effect, Exit, Stream } from "effect"

/**
 * A long answer that ends properly only if it is whole: the platform would end it like a whole one when it fails, or
 * when the process stops. Its connection is cut instead, which every client notices.
 */
export const endingWhole = <A, E, R>(
  request: HttpServerRequest.HttpServerRequest,
  what: string,
  answer: Stream.Stream<A, E, R>
): Stream.Stream<A, E, R> =>
  Stream.ensuringWith(answer, (exit) => {
    if (Exit.isSuccess(exit)) return Effect.void
    const cut = Effect.sync(() => NodeHttpServerRequest.toServerResponse(request).destroy())
    return Cause.isInterruptedOnly(exit.cause)
      ? cut
      : Effect.zipRight(cut, Effect.logError(`${what} was cut off`, exit.cause))
  })
