import { Config, LogLevel } from "effect"
import { secretSetting, setting, wholeNumber } from "./Setting.js"
import { logLevel, oneOf, optional, url, withDefault } from "./SettingValues.js"

/** Metrics, traces and logs. */
export const telemetrySettings = {
  metricsPort: setting(
    "METRICS_PORT",
    {
      type: "port",
      default: "PORT, for loopback only",
      meaning: "separate port for /metrics, /healthz and /readyz, on METRICS_HOST; 0: a free port"
    },
    optional(wholeNumber(0, 65_535))
  ),
  metricsHost: setting(
    "METRICS_HOST",
    { type: "address", default: "127.0.0.1", meaning: "the address for METRICS_PORT to listen on" },
    withDefault(Config.nonEmptyString, "127.0.0.1")
  ),
  otlpEndpoint: secretSetting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    { type: "URL", default: "off", meaning: "an OpenTelemetry collector (OTLP over HTTP) for traces" },
    url(["http:", "https:"])
  ),
  logLevel: setting(
    "LOG_LEVEL",
    { type: "debug, info, warning, error, none", default: "info", meaning: "minimum level that is logged" },
    withDefault((name) => Config.map(oneOf("debug", "info", "warning", "error", "none")(name), logLevel), LogLevel.Info)
  ),
  logFormat: setting(
    "LOG_FORMAT",
    { type: "pretty, json", default: "pretty on a terminal, else json", meaning: "format of the log" },
    optional(oneOf("pretty", "json"))
  )
}
