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
  corsOrigins: setting(
    "CORS_ORIGINS",
    { type: "origins", default: "none", meaning: "web origins that browsers may call from, with commas" },
    withDefault(list, [])
  )
}
