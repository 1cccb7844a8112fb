import type { CertificateFiles } from "@switchboard/channels/email/receiving/InboundServer"
import { Config, ConfigError, Duration, Either, Option } from "effect"
import { parsed, secretSetting, setting, wholeNumber } from "./Setting.js"
import { duration, nameServers, oneOf, optional, url, withDefault } from "./SettingValues.js"

/** Incoming mail. */
export const inboundSettings = {
  inboundSmtpPort: setting(
    "INBOUND_SMTP_PORT",
    { type: "port", default: "2525", meaning: "SMTP port for incoming mail, on HOST; 0: a free port" },
    withDefault(wholeNumber(0, 65_535), 2525)
  ),
  inboundTlsCert: setting(
    "INBOUND_TLS_CERT",
    { type: "path", default: "no TLS", meaning: "PEM file of the certificate for STARTTLS on incoming connections" },
    optional(Config.nonEmptyString)
  ),
  inboundTlsKey: setting(
    "INBOUND_TLS_KEY",
    { type: "path", default: "no TLS", meaning: "PEM file of the private key of INBOUND_TLS_CERT" },
    optional(Config.nonEmptyString)
  )
}

/** The TLS settings for incoming mail. */
interface InboundSettings {
  readonly inboundTlsCert: Option.Option<string>
  readonly inboundTlsKey: Option.Option<string>
}

/** The certificate for STARTTLS; none without TLS. */
export const inboundCertificate = ({
  inboundTlsCert,
  inboundTlsKey
}: InboundSettings): Option.Option<CertificateFiles> => Option.all({ cert: inboundTlsCert, key: inboundTlsKey })

/** Fails if only one of certificate and key is set: incoming mail would silently be unencrypted. */
export const checkInboundTls = <A extends InboundSettings>(settings: A): Either.Either<A, ConfigError.ConfigError> => {
  if (Option.isSome(settings.inboundTlsCert) === Option.isSome(settings.inboundTlsKey)) return Either.right(settings)
  const [missing, present] = Option.isNone(settings.inboundTlsCert)
    ? ["INBOUND_TLS_CERT", "INBOUND_TLS_KEY"]
    : ["INBOUND_TLS_KEY", "INBOUND_TLS_CERT"]
  return Either.left(ConfigError.MissingData([missing], `must be set if ${present} is set`))
}

/** Outgoing mail, host name and DNS. */
export const mailSettings = {
  smtpUrl: secretSetting(
    "SMTP_URL",
    {
      type: "URL",
      default: "the local mailbox",
      meaning: "the relay for outgoing mail: smtp://user:password@host:587"
    },
    url(["smtp:", "smtps:"])
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
      meaning: "time limit for a connection to the relay and for each reply; 10 minutes after a mail's final dot"
    },
    withDefault(parsed(duration), Duration.seconds(30))
  ),
  smtpConfirmation: setting(
    "SMTP_CONFIRMATION",
    {
      type: "accept, dsn",
      default: "dsn for SMTP_URL, accept for the local mailbox",
      meaning:
        "a relay's 250 means delivered (accept), or sent until a delivery status notification arrives (dsn, RFC 3461)"
    },
    optional(oneOf("accept", "dsn"))
  ),
  mailHostname: setting(
    "MAIL_HOSTNAME",
    {
      type: "host name",
      default: "localhost",
      meaning: "public name of this host, for EHLO and as the target of the domains' MX records"
    },
    withDefault(Config.nonEmptyString, "localhost")
  ),
  spfInclude: setting(
    "SPF_INCLUDE",
    {
      type: "host name",
      default: "the addresses of MAIL_HOSTNAME",
      meaning: "the name whose SPF record lists the relay's outgoing addresses"
    },
    optional(Config.nonEmptyString)
  ),
  dnsServers: setting(
    "DNS_SERVERS",
    {
      type: "addresses with ports",
      default: "the system's",
      meaning: "name servers for the records of domains and the hosts of webhooks, comma-separated"
    },
    withDefault(nameServers, [])
  ),
  mailboxSmtpPort: setting(
    "MAILBOX_SMTP_PORT",
    { type: "port", default: "1025", meaning: "SMTP port of the local mailbox; 0: a free port" },
    withDefault(wholeNumber(0, 65_535), 1025)
  )
}
