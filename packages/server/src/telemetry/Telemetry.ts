import { Layer, Logger, Option } from "effect"
import { Settings } from "../settings/Settings.js"
import { Traces } from "./Otlp.js"

const Logs = Settings.layer(({ logFormat, logLevel }) => {
  const format = Option.getOrElse(logFormat, () => (process.stdout.isTTY ? "pretty" : "json"))
  return Layer.merge(format === "json" ? Logger.json : Logger.pretty, Logger.minimumLogLevel(logLevel))
})

/** Logs and traces as configured. */
export const Telemetry = Layer.merge(Logs, Traces)
