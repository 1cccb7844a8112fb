import { Config } from "effect"
import { setting, wholeNumber } from "./Setting.js"
import { cidrs, list, optional, url, withDefault } from "./SettingValues.js"

/** Where the service listens, and whom it believes. */
export const httpSettings = {
  host: setting(
    "HOST",
    { type: "address", default: "127.0.0.1", meaning: "the address to listen on" },
    withDefault(Config.nonEmptyString, "127.0.0.1")
  ),
  port: setting(
    "PORT",
    { type: "port", default: "3000", meaning: "the port to listen on; 0 takes a free one" },
    withDefault(wholeNumber(0, 65_535), 3000)
  ),
  publicUrl: setting(
    "PUBLIC_URL",
    { type: "URL", default: "http://HOST:PORT", meaning: "where callers reach this service: links are built from it" },
    optional(url(["http:", "https:"]))
  ),
  trustedProxies: setting(
    "TRUSTED_PROXIES",
    { type: "CIDRs", default: "none", meaning: "proxies whose X-Forwarded-For is believed, with commas" },
    withDefault(cidrs, [])
  ),
  bodyMemory: setting(
    "BODY_MEMORY",
    {
      type: "MiB",
      default: "128",
      meaning:
        "memory of one process for request bodies, at least 64; without room a body waits 5 seconds, then the response is 503"
    },
    withDefault(wholeNumber(64, 65_536), 128)
  ),
  connectionsPerAddress: setting(
    "CONNECTIONS_PER_ADDRESS",
    {
      type: "number",
      default: "1000",
      meaning: "open connections of one address (IPv6: of one /64), TRUSTED_PROXIES excepted; 0 is off"
    },
    withDefault(wholeNumber(0, 1_000_000), 1_000)
  ),
  corsOrigins: setting(
    "CORS_ORIGINS",
    { type: "origins", default: "none", meaning: "web origins that browsers may call from, with commas" },
    withDefault(list, [])
  )
}
