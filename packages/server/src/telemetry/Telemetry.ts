import { Effect, Layer, Logger, Option } from "effect"
import { Parts } from "../run/Parts.js"
import { Settings } from "../settings/Settings.js"
import { Traces } from "./Otlp.js"

/** Colours are for terminals, except with NO_COLOR (no-color.org). */
const hasColors = (stream: NodeJS.WriteStream) => stream.isTTY === true && !process.env.NO_COLOR

/** Servers log to standard output. Other commands log to standard error, since their output is read by programs. */
const Logs = Layer.unwrapEffect(
  Effect.gen(function* () {
    const { logFormat, logLevel } = yield* Settings
    const { api, worker } = yield* Parts
    const isServer = api || worker
    const stream = isServer ? process.stdout : process.stderr
    const isJson = Option.match(logFormat, { onNone: () => !stream.isTTY, onSome: (format) => format === "json" })
    const logger = isJson
      ? (isServer ? Logger.withConsoleLog : Logger.withConsoleError)(Logger.jsonLogger)
      : Logger.prettyLogger({ colors: hasColors(stream), stderr: !isServer })
    return Layer.merge(Logger.replace(Logger.defaultLogger, logger), Logger.minimumLogLevel(logLevel))
  })
)

/** Logs and traces as configured. */
export const Telemetry = Layer.merge(Logs, Traces)
