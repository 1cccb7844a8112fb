import type { CertificateFiles } from "@switchboard/channels/email/receiving/InboundCertificate"
import { Config, ConfigError, Either, Option } from "effect"
import { setting, wholeNumber } from "./Setting.js"
import { optional, withDefault } from "./SettingValues.js"

/** Where mail comes in. */
export const inboundSettings = {
  inboundSmtpPort: setting(
    "INBOUND_SMTP_PORT",
    { type: "port", default: "2525", meaning: "where mail comes in, on HOST; 0 takes a free one" },
    withDefault(wholeNumber(0, 65_535), 2525)
  ),
  inboundTlsCert: setting(
    "INBOUND_TLS_CERT",
    { type: "path", default: "no TLS", meaning: "the certificate, in PEM, that STARTTLS shows to whoever brings mail" },
    optional(Config.nonEmptyString)
  ),
  inboundTlsKey: setting(
    "INBOUND_TLS_KEY",
    { type: "path", default: "no TLS", meaning: "the key of INBOUND_TLS_CERT" },
    optional(Config.nonEmptyString)
  )
}

/** What operators may say of TLS for mail that comes in. */
interface InboundSettings {
  readonly inboundTlsCert: Option.Option<string>
  readonly inboundTlsKey: Option.Option<string>
}

/** The certificate of the settings; none if mail comes in without TLS. */
export const inboundCertificate = ({
  inboundTlsCert,
  inboundTlsKey
}: InboundSettings): Option.Option<CertificateFiles> => Option.all({ cert: inboundTlsCert, key: inboundTlsKey })

/** A certificate without its key, or the other way round, is a mistake: mail would come in unencrypted without a word. */
export const checkInboundTls = <A extends InboundSettings>(settings: A): Either.Either<A, ConfigError.ConfigError> => {
  if (Option.isSome(settings.inboundTlsCert) === Option.isSome(settings.inboundTlsKey)) return Either.right(settings)
  const [missing, given] = Option.isNone(settings.inboundTlsCert)
    ? ["INBOUND_TLS_CERT", "INBOUND_TLS_KEY"]
    : ["INBOUND_TLS_KEY", "INBOUND_TLS_CERT"]
  return Either.left(ConfigError.MissingData([missing], `must be set too where ${given} is`))
}
