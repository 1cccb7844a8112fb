import { Config, Duration } from "effect"
import { parsed, secretSetting, setting, wholeNumber } from "./Setting.js"
import { cidrs, duration, list, url, withDefault } from "./SettingValues.js"

/** The HTTP listener, proxies and limits. */
export const httpSettings = {
  host: setting(
    "HOST",
    { type: "address", default: "127.0.0.1", meaning: "the address to listen on" },
    withDefault(Config.nonEmptyString, "127.0.0.1")
  ),
  port: setting(
    "PORT",
    { type: "port", default: "3000", meaning: "the port to listen on; 0: a free port" },
    withDefault(wholeNumber(0, 65_535), 3000)
  ),
  publicUrl: secretSetting(
    "PUBLIC_URL",
    {
      type: "URL",
      default: "http://HOST:PORT",
      meaning: "the base URL at which clients reach this service; links begin with it"
    },
    url(["http:", "https:"])
  ),
  trustedProxies: setting(
    "TRUSTED_PROXIES",
    { type: "CIDRs", default: "none", meaning: "proxies whose X-Forwarded-For header is trusted, comma-separated" },
    withDefault(cidrs, [])
  ),
  bodyMemory: setting(
    "BODY_MEMORY",
    {
      type: "number",
      unit: "MiB",
      default: "128",
      meaning:
        "memory of one process for request bodies, at least 64; when it is full, a request waits 5 seconds, then gets 503"
    },
    withDefault(wholeNumber(64, 65_536), 128)
  ),
  connectionsPerAddress: setting(
    "CONNECTIONS_PER_ADDRESS",
    {
      type: "number",
      unit: "connections",
      default: "1000",
      meaning: "maximum open connections of one address (IPv6: of one /64), except TRUSTED_PROXIES; 0: no limit"
    },
    withDefault(wholeNumber(0, 1_000_000), 1_000)
  ),
  keepAliveTimeout: setting(
    "KEEP_ALIVE_TIMEOUT",
    {
      type: "duration",
      default: "65 seconds",
      meaning: "how long an idle connection stays open; longer than the idle timeout of the load balancer"
    },
    withDefault(parsed(duration), Duration.seconds(65))
  ),
  corsOrigins: setting(
    "CORS_ORIGINS",
    { type: "origins", default: "none", meaning: "web origins that browsers may call from, comma-separated" },
    withDefault(list, [])
  )
}
