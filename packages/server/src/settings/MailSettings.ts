import { Config, Duration } from "effect"
import { parsed, setting, wholeNumber } from "./Setting.js"
import { duration, nameServers, oneOf, optional, url, withDefault } from "./SettingValues.js"

/** How mail goes out, under which name, and what is asked of the DNS. */
export const mailSettings = {
  smtpUrl: setting(
    "SMTP_URL",
    {
      type: "URL",
      default: "the local mailbox",
      meaning: "the relay for outgoing mail: smtp://user:password@host:587"
    },
    optional(url(["smtp:", "smtps:"]))
  ),
  smtpTls: setting(
    "SMTP_TLS",
    {
      type: "opportunistic, require",
      default: "require with a password and a relay beyond loopback, else opportunistic",
      meaning: "STARTTLS if it is offered, or verified TLS or nothing"
    },
    optional(oneOf("opportunistic", "require"))
  ),
  smtpTimeout: setting(
    "SMTP_TIMEOUT",
    {
      type: "duration",
      default: "30 seconds",
      meaning: "how long the relay may take to connect, and for each reply; after a mail's final dot it has 10 minutes"
    },
    withDefault(parsed(duration), Duration.seconds(30))
  ),
  smtpConfirmation: setting(
    "SMTP_CONFIRMATION",
    {
      type: "accept, dsn",
      default: "dsn for SMTP_URL, accept for the local mailbox",
      meaning: "what a relay's 250 means: delivered, or sent until a notification comes (RFC 3461)"
    },
    optional(oneOf("accept", "dsn"))
  ),
  mailHostname: setting(
    "MAIL_HOSTNAME",
    {
      type: "host name",
      default: "localhost",
      meaning: "the name that EHLO gives, and to which the MX records of domains lead"
    },
    withDefault(Config.nonEmptyString, "localhost")
  ),
  spfInclude: setting(
    "SPF_INCLUDE",
    {
      type: "host name",
      default: "MAIL_HOSTNAME's own addresses send",
      meaning: "whose SPF record names the addresses that mail leaves from: the relay's"
    },
    optional(Config.nonEmptyString)
  ),
  dnsServers: setting(
    "DNS_SERVERS",
    {
      type: "addresses with ports",
      default: "the system's",
      meaning: "name servers that are asked for the records of domains and the hosts of webhooks, with commas"
    },
    withDefault(nameServers, [])
  ),
  mailboxSmtpPort: setting(
    "MAILBOX_SMTP_PORT",
    { type: "port", default: "1025", meaning: "where the local mailbox listens; 0 takes a free one" },
    withDefault(wholeNumber(0, 65_535), 1025)
  )
}
