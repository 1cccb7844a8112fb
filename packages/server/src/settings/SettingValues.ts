import { isIP } from "node:net"
import { parseNetwork } from "@switchboard/channels/network/NetworkPolicy"
import { apiKeyPattern } from "@switchboard/domain/apiKeys/ApiKey"
import { parseUrl } from "@switchboard/domain/HttpUrl"
import { hostUrls } from "@switchboard/store/database/DatabaseHosts"
import { BigDecimal, Config, Duration, Either, LogLevel, Option, Redacted } from "effect"
import { isRemote } from "./RelayTls.js"
import { parsed } from "./Setting.js"

/*
 * The types of settings: how each value is parsed, and its error message.
 */

export const optional =
  <A>(read: (name: string) => Config.Config<A>) =>
  (name: string) =>
    Config.option(read(name))

export const withDefault =
  <A>(read: (name: string) => Config.Config<A>, value: A) =>
  (name: string) =>
    Config.withDefault(read(name), value)

export const oneOf = <const Values extends readonly [string, ...Array<string>]>(...values: Values) =>
  Config.literal(...values)

/** The items of a comma-separated list. */
export const items = (text: string) =>
  text
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "")

export const list = parsed((text) => Either.right(items(text)))

const isCidr = (text: string): boolean => {
  const [network = "", bits, ...rest] = text.split("/")
  const family = isIP(network)
  const maxBits = family === 6 ? 128 : 32
  return family !== 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= maxBits))
}

export const cidrs = parsed((text) =>
  items(text).every(isCidr)
    ? Either.right(items(text))
    : Either.left("must be comma-separated addresses or CIDRs, like 10.0.0.0/8")
)

const isUrl = (text: string, protocols: ReadonlyArray<string>): boolean =>
  Option.exists(parseUrl(text), ({ protocol }) => protocols.includes(protocol))

const startOf = (protocols: ReadonlyArray<string>) =>
  `must be a URL that begins with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`

export const url = (protocols: ReadonlyArray<string>) => (text: string) =>
  isUrl(text, protocols) ? Either.right(Redacted.make(text)) : Either.left(startOf(protocols))

/** The name of a header (RFC 9110 section 5.6.2), "=" and its percent-encoded value without control characters. */
const header = (text: string): Option.Option<readonly [name: string, value: string]> => {
  const [, name = "", encoded = ""] = /^\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(.*?)\s*$/.exec(text) ?? []
  return Option.liftThrowable(decodeURIComponent)(encoded).pipe(
    Option.filter((value) => name !== "" && /^[\x20-\x7e]*$/.test(value)),
    Option.map((value) => [name.toLowerCase(), value])
  )
}

/** Headers in the form of OTEL_EXPORTER_OTLP_HEADERS. The message does not repeat them: they contain credentials. */
export const headers = (text: string) =>
  Option.match(Option.all(items(text).map(header)), {
    onNone: () =>
      Either.left("must be headers with percent-encoded values, like authorization=Bearer%20token,x-tenant=a"),
    onSome: (entries) => Either.right(Redacted.make<Readonly<Record<string, string>>>(Object.fromEntries(entries)))
  })

const smsProtocols = ["smpp:", "smpps:", "twilio+https:"]

/** A URL of the provider of text messages. The token of a Twilio account leaves this machine over TLS only. */
export const smsUrl = (text: string) => {
  const account = Option.filter(parseUrl(text.replace(/^twilio\+/i, "")), ({ protocol }) => /^https?:$/.test(protocol))
  const isLocal = Option.exists(account, ({ href, protocol }) => protocol === "http:" && !isRemote(Redacted.make(href)))
  return Either.filterOrLeft(
    url(isLocal ? [...smsProtocols, "twilio+http:"] : smsProtocols)(text),
    () =>
      !/^twilio/i.test(text) || Option.exists(account, ({ password, username }) => username !== "" && password !== ""),
    () => "must have the account and its token: twilio+https://ACCOUNT:TOKEN@api.twilio.com"
  )
}

const databaseProtocols = ["postgres:", "postgresql:"]

/** The servers that libpq's `target_session_attrs` can require, and that accept writes or may do so. */
const writableServers = ["any", "read-write", "primary"]

/** A URL of PostgreSQL, which can have several hosts. */
export const databaseUrl = (text: string) => {
  if (!hostUrls(text).every((one) => isUrl(one, databaseProtocols))) return Either.left(startOf(databaseProtocols))
  const required = /[?&]target_session_attrs=([^&#]*)/.exec(text)?.[1] ?? "any"
  return writableServers.includes(required)
    ? Either.right(Redacted.make(text))
    : Either.left(`must not have target_session_attrs=${required}: the service writes`)
}

const units: Readonly<Record<string, string>> = { ms: "millis", s: "seconds", m: "minutes", h: "hours", d: "days" }

/** A number with a unit in words or as an abbreviation: `30 seconds`, `30s`. */
export const duration = (text: string) => {
  const inWords = text.trim().replace(/^(\d+(?:\.\d+)?)\s*(ms|[smhd])$/, (_, count: string, unit: string) => {
    return `${count} ${units[unit]}`
  })
  return Option.match(Duration.decodeUnknown(inWords), {
    onNone: () => Either.left(`must be a duration like "5 seconds" or "5s", not "${text.trim()}"`),
    onSome: Either.right
  })
}

export const schedule = parsed((text) => Either.all(text.split(",").map(duration)))

export const masterKey = (text: string) => {
  const bytes = Buffer.from(text, "base64")
  return bytes.byteLength >= 32
    ? Either.right(Redacted.make<Uint8Array>(bytes))
    : Either.left("must be at least 32 bytes in base64 (openssl rand -base64 32)")
}

export const apiKey = (text: string) =>
  apiKeyPattern.test(text) ? Either.right(Redacted.make(text)) : Either.left("must be sk_sm_ and 40 letters or digits")

export const decimal = parsed((text) =>
  Option.match(BigDecimal.fromString(text), {
    onSome: (value) => (BigDecimal.isNegative(value) ? Either.left("must not be negative") : Either.right(value)),
    onNone: () => Either.left("must be a decimal number like 0.0004")
  })
)

/** A percentage as a share from 0 to 1; none for 0. */
export const percentage = parsed((text) => {
  // Not divided by 100, which can be rounded up: 1.1 % is 0.011.
  const share = Number(`${text}e-2`)
  return /^\d+(?:\.\d+)?$/.test(text) && share <= 1
    ? Either.right(share === 0 ? Option.none() : Option.some(share))
    : Either.left("must be a percentage from 0 to 100, like 10 or 0.5")
})

const logLevels = {
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  none: LogLevel.None
}

export const logLevel = (name: keyof typeof logLevels): LogLevel.LogLevel => logLevels[name]

const nameServer = (text: string): Either.Either<string, string> => {
  const [, host = "", port = "53"] =
    /^(\[[0-9a-fA-F:.]+\]|[^:]+)(?::(\d{1,5}))?$/.exec(text.replace(/^localhost\b/, "127.0.0.1")) ?? []
  const address = isIP(text) === 6 ? text : host.replace(/^\[|\]$/g, "")
  const family = isIP(address)
  return family !== 0 && Number(port) > 0 && Number(port) <= 65_535
    ? Either.right(family === 6 ? `[${address}]:${port}` : `${address}:${port}`)
    : Either.left(`must be addresses with ports, like 192.0.2.53:53 and [2001:db8::53]:53, not "${text}"`)
}

/** Comma-separated name servers, each as `address:port`. The default port is 53. */
export const nameServers = parsed((text) => Either.all(items(text).map(nameServer)))

export const networks = parsed((text) => Either.all(items(text).map(parseNetwork)))
