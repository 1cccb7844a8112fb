import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Clock, Effect, FiberRef, LogLevel } from "effect"

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
