import type { CertificateFiles } from "@switchboard/channels/email/receiving/InboundCertificate"
import { Config, ConfigError, Either, Option } from "effect"
import { setting, wholeNumber } from "./Setting.js"
import { optional, withDefault } from "./SettingValues.js"

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
