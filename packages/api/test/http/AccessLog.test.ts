import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { assert, it } from "@effect/vitest"
import { logRequest } from "@switchboard/api/http/ServeRoutes"
import { Effect, HashMap, Layer, Logger, LogLevel, TestClock } from "effect"

it.effect("A request is logged only if its level is enabled, with its duration", () =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ annotations, logLevel, message }) => {
      lines.push([logLevel.label, String(message), Object.fromEntries(HashMap.toEntries(annotations))])
    })
    const request = HttpServerRequest.fromWeb(
      new Request("http://localhost/v1/uploads/signed-token", { method: "PUT" })
    )
    const response = HttpServerResponse.empty({ status: 204 })
    yield* TestClock.adjust("7 millis")
    yield* Effect.forEach([LogLevel.Debug, LogLevel.Info], (level) => logRequest(level)(request, response, 0)).pipe(
      Effect.provide(Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(LogLevel.Info)))
    )
    assert.deepStrictEqual(lines, [["INFO", "request", { method: "PUT", status: 204, durationMs: 7 }]])
  })
)
