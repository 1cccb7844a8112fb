import { isIP } from "node:net"
import { Config, Duration, Either, Option } from "effect"
import { parsed, secretSetting, setting, wholeNumber } from "./Setting.js"
import { duration, items, oneOf, optional, percentage, withDefault } from "./SettingValues.js"
import { smtpServers } from "./SmtpServers.js"

const addresses = parsed((text) =>
  items(text).every((item) => isIP(item) > 0)
    ? Either.right(items(text))
    : Either.left("must be comma-separated addresses of this host, like 192.0.2.1,2001:db8::1")
)

/** Outgoing mail: relays, or direct delivery, and when mail from a domain is paused. */
export const outgoingSettings = {
  smtpUrl: secretSetting(
    "SMTP_URL",
    {
      type: "URLs, or mx:",
      default: "the local mailbox",
      meaning:
        "the relays for outgoing mail, separated by spaces: smtp://user:password@host:587, each with ?priority= (lower first), weight= and domains= (of senders); mx: delivers to the mail servers of the recipients"
    },
    smtpServers
  ),
  smtpTls: setting(
    "SMTP_TLS",
    {
      type: "opportunistic, require",
      default: "require if SMTP_URL has a password and its host is not loopback, else opportunistic",
      meaning: "opportunistic: STARTTLS if the relay offers it; require: only TLS with a verified certificate"
    },
    optional(oneOf("opportunistic", "require"))
  ),
  smtpTimeout: setting(
    "SMTP_TIMEOUT",
    {
      type: "duration",
      default: "30 seconds",
      meaning:
        "time limit for a connection to a relay or mail server and for each reply; 10 minutes after a mail's final dot"
    },
    withDefault(parsed(duration), Duration.seconds(30))
  ),
  smtpConfirmation: setting(
    "SMTP_CONFIRMATION",
    {
      type: "accept, dsn",
      default: "dsn for relays, accept for the local mailbox and mx:",
      meaning: "a 250 means delivered (accept), or sent until a delivery status notification arrives (dsn, RFC 3461)"
    },
    optional(oneOf("accept", "dsn"))
  ),
  mxTls: setting(
    "MX_TLS",
    {
      type: "opportunistic, require",
      default: "opportunistic",
      meaning: "with mx:, TLS without DANE or MTA-STS; opportunistic: STARTTLS if offered; require: TLS, unverified"
    },
    withDefault(oneOf("opportunistic", "require"), "opportunistic")
  ),
  mxHostname: setting(
    "MX_HOSTNAME",
    {
      type: "host name",
      default: "MAIL_HOSTNAME",
      meaning: "with mx:, the name of this host in EHLO: the reverse name of the addresses that it sends from"
    },
    optional(Config.nonEmptyString)
  ),
  mxPort: setting(
    "MX_PORT",
    { type: "port", default: "25", meaning: "with mx:, the port of mail servers" },
    withDefault(wholeNumber(1, 65_535), 25)
  ),
  mxSourceAddresses: setting(
    "MX_SOURCE_ADDRESSES",
    {
      type: "addresses",
      default: "the system's choice",
      meaning:
        "with mx:, the addresses of this host to connect from, comma-separated, of which each connection uses one at random"
    },
    withDefault(addresses, [])
  ),
  mxConcurrency: setting(
    "MX_CONCURRENCY",
    {
      type: "number",
      unit: "connections",
      default: "10",
      meaning: "with mx:, the maximum connections of one process to one destination"
    },
    withDefault(wholeNumber(1, 100), 10)
  ),
  domainPauseBounceRate: setting(
    "DOMAIN_PAUSE_BOUNCE_RATE",
    {
      type: "number",
      unit: "percent",
      default: "10",
      meaning:
        "the share of a domain's messages of 24 hours that bounce, from which mail from the domain waits until it is resumed; 0: off"
    },
    withDefault(percentage, Option.some(0.1))
  ),
  domainPauseComplaintRate: setting(
    "DOMAIN_PAUSE_COMPLAINT_RATE",
    { type: "number", unit: "percent", default: "0.5", meaning: "the same for messages with a complaint; 0: off" },
    withDefault(percentage, Option.some(0.005))
  ),
  domainPauseMinMessages: setting(
    "DOMAIN_PAUSE_MIN_MESSAGES",
    {
      type: "number",
      unit: "messages",
      default: "500",
      meaning: "the messages of 24 hours from which these rates count"
    },
    withDefault(wholeNumber(1, 1_000_000), 500)
  )
}
