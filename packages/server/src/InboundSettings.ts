import type { CertificateFiles } from "@switchboard/channels/email/receiving/InboundCertificate"
import { ConfigError, Either, Option } from "effect"

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
