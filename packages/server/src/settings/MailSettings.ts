import type { CertificateFiles } from "@switchboard/channels/smtp/StrictServer"
import { Config, ConfigError, Either, Option } from "effect"
import { setting, wholeNumber } from "./Setting.js"
import { nameServers, optional, withDefault } from "./SettingValues.js"

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

/** Mail of programs. */
export const submissionSettings = {
  submissionHost: setting(
    "SUBMISSION_HOST",
    { type: "address", default: "127.0.0.1", meaning: "address on which programs submit mail over SMTP" },
    withDefault(Config.nonEmptyString, "127.0.0.1")
  ),
  submissionPort: setting(
    "SUBMISSION_PORT",
    {
      type: "port",
      default: "2587",
      meaning: "SMTP port for mail of programs (RFC 6409), with STARTTLS if there is a certificate; 0: off"
    },
    withDefault(wholeNumber(0, 65_535), 2587)
  ),
  submissionsPort: setting(
    "SUBMISSIONS_PORT",
    { type: "port", default: "0", meaning: "the same with implicit TLS (RFC 8314); 0: off" },
    withDefault(wholeNumber(0, 65_535), 0)
  ),
  submissionTlsCert: setting(
    "SUBMISSION_TLS_CERT",
    { type: "path", default: "no TLS", meaning: "PEM file of the certificate for the ports of submission" },
    optional(Config.nonEmptyString)
  ),
  submissionTlsKey: setting(
    "SUBMISSION_TLS_KEY",
    { type: "path", default: "no TLS", meaning: "PEM file of the private key of SUBMISSION_TLS_CERT" },
    optional(Config.nonEmptyString)
  )
}

/** The TLS settings for incoming mail and for submission. */
interface TlsSettings {
  readonly inboundTlsCert: Option.Option<string>
  readonly inboundTlsKey: Option.Option<string>
  readonly submissionTlsCert: Option.Option<string>
  readonly submissionTlsKey: Option.Option<string>
  readonly submissionsPort: number
}

const inboundNames = ["INBOUND_TLS_CERT", "INBOUND_TLS_KEY"] as const
const submissionNames = ["SUBMISSION_TLS_CERT", "SUBMISSION_TLS_KEY"] as const

const certificate = (
  cert: Option.Option<string>,
  key: Option.Option<string>,
  settings: CertificateFiles["settings"]
): Option.Option<CertificateFiles> =>
  Option.map(Option.all({ cert, key }), (files): CertificateFiles => ({ ...files, settings }))

/** The certificate for STARTTLS of incoming mail; none without TLS. */
export const inboundCertificate = ({ inboundTlsCert, inboundTlsKey }: TlsSettings) =>
  certificate(inboundTlsCert, inboundTlsKey, inboundNames)

/** The certificate for submission; none without TLS. */
export const submissionCertificate = ({ submissionTlsCert, submissionTlsKey }: TlsSettings) =>
  certificate(submissionTlsCert, submissionTlsKey, submissionNames)

/** A problem if only one of certificate and key is set: mail would silently be unencrypted. */
const incomplete = (
  cert: Option.Option<string>,
  key: Option.Option<string>,
  [certName, keyName]: CertificateFiles["settings"]
): Option.Option<ConfigError.ConfigError> => {
  if (Option.isSome(cert) === Option.isSome(key)) return Option.none()
  const [missing, present] = Option.isNone(cert) ? [certName, keyName] : [keyName, certName]
  return Option.some(ConfigError.MissingData([missing], `must be set if ${present} is set`))
}

/** Fails if a certificate is incomplete, or implicit TLS has none. */
export const checkTls = <A extends TlsSettings>(settings: A): Either.Either<A, ConfigError.ConfigError> => {
  const { submissionTlsCert, submissionTlsKey, submissionsPort } = settings
  const needed =
    submissionsPort !== 0 && Option.isNone(submissionTlsCert)
      ? Option.some(ConfigError.MissingData(["SUBMISSION_TLS_CERT"], "must be set if SUBMISSIONS_PORT is set"))
      : Option.none()
  return Option.match(
    incomplete(settings.inboundTlsCert, settings.inboundTlsKey, inboundNames).pipe(
      Option.orElse(() => incomplete(submissionTlsCert, submissionTlsKey, submissionNames)),
      Option.orElse(() => needed)
    ),
    { onNone: () => Either.right(settings), onSome: Either.left }
  )
}

/** Host name, DNS and local mailbox. */
export const mailSettings = {
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
      meaning: "the name whose SPF record lists the outgoing addresses of the relays, or with mx: of this host"
    },
    optional(Config.nonEmptyString)
  ),
  dnsServers: setting(
    "DNS_SERVERS",
    {
      type: "addresses with ports",
      default: "the system's",
      meaning: "name servers for the records of domains, and the hosts of webhooks and mail, comma-separated"
    },
    withDefault(nameServers, [])
  ),
  mailboxSmtpPort: setting(
    "MAILBOX_SMTP_PORT",
    { type: "port", default: "1025", meaning: "SMTP port of the local mailbox; 0: a free port" },
    withDefault(wholeNumber(0, 65_535), 1025)
  )
}
