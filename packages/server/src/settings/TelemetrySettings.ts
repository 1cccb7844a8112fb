import { Config, LogLevel } from "effect"
import { secretSetting, setting, wholeNumber } from "./Setting.js"
import { headers, logLevel, oneOf, optional, url, withDefault } from "./SettingValues.js"

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
    {
      type: "URL",
      default: "off",
      meaning: "an OpenTelemetry collector (OTLP over HTTP) for traces and, from services, metrics"
    },
    url(["http:", "https:"])
  ),
  otlpHeaders: secretSetting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    {
      type: "headers",
      default: "none",
      meaning: "headers of the requests to the collector, comma-separated: authorization=Bearer%20token,x-tenant=a"
    },
    headers
  ),
  serviceName: setting(
    "OTEL_SERVICE_NAME",
    { type: "text", default: "switchboard", meaning: "the name of this service in traces and OTLP metrics" },
    withDefault(Config.nonEmptyString, "switchboard")
  ),
  accessLog: setting(
    "ACCESS_LOG",
    {
      type: "true, false",
      default: "false",
      meaning: "whether to log a line for each request at level info, without paths; false: at level debug"
    },
    withDefault((name) => Config.map(oneOf("true", "false")(name), (text) => text === "true"), false)
  ),
  logLevel: setting(
    "LOG_LEVEL",
    { type: "debug, info, warning, error, none", default: "info", meaning: "minimum level that is logged" },
    withDefault((name) => Config.map(oneOf("debug", "info", "warning", "error", "none")(name), logLevel), LogLevel.Info)
  ),
  logFormat: setting(
    "LOG_FORMAT",
    {
      type: "pretty, json",
      default: "pretty on a terminal, else json",
      meaning: "format of the log; json: also of the first lines and of errors that stop a process"
    },
    optional(oneOf("pretty", "json"))
  )
}
