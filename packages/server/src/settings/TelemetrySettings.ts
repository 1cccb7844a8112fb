import { Config, LogLevel } from "effect"
import { setting, wholeNumber } from "./Setting.js"
import { logLevel, oneOf, optional, url, withDefault } from "./SettingValues.js"

/** What the service says of itself. */
export const telemetrySettings = {
  metricsPort: setting(
    "METRICS_PORT",
    {
      type: "port",
      default: "PORT, for loopback alone",
      meaning: "where /metrics, /healthz and /readyz are served apart from the API, on METRICS_HOST; 0 takes a free one"
    },
    optional(wholeNumber(0, 65_535))
  ),
  metricsHost: setting(
    "METRICS_HOST",
    { type: "address", default: "127.0.0.1", meaning: "the address for METRICS_PORT to listen on" },
    withDefault(Config.nonEmptyString, "127.0.0.1")
  ),
  otlpEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    { type: "URL", default: "off", meaning: "an OpenTelemetry collector (OTLP over HTTP) for traces" },
    optional(url(["http:", "https:"]))
  ),
  logLevel: setting(
    "LOG_LEVEL",
    { type: "debug, info, warning, error, none", default: "info", meaning: "the least that is logged" },
    withDefault((name) => Config.map(oneOf("debug", "info", "warning", "error", "none")(name), logLevel), LogLevel.Info)
  ),
  logFormat: setting(
    "LOG_FORMAT",
    { type: "pretty, json", default: "pretty on a terminal, else json", meaning: "how logs are written" },
    optional(oneOf("pretty", "json"))
  )
}
