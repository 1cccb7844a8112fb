import { Context, Duration, Redacted } from "effect"
import { urlCredentials } from "../../UrlCredentials.js"
import type { TlsaRecord } from "../mx/TlsaRecord.js"

/** The timeouts of the stages of an SMTP session. */
interface SmtpTimeouts {
  readonly connection: Duration.Duration
  readonly greeting: Duration.Duration
  /** EHLO, STARTTLS, AUTH, MAIL, RCPT, RSET. */
  readonly command: Duration.Duration
  /** The reply to DATA. */
  readonly data: Duration.Duration
  /** One block of the mail data. */
  readonly block: Duration.Duration
  /** The reply to the final dot. */
  readonly dot: Duration.Duration
}

/** RFC 5321 section 4.5.3.2, except the connection timeout. */
const standard: SmtpTimeouts = {
  connection: Duration.seconds(30),
  greeting: Duration.minutes(5),
  command: Duration.minutes(5),
  data: Duration.minutes(2),
  block: Duration.minutes(3),
  dot: Duration.minutes(10)
}

/**
 * The timeouts of RFC 5321, reduced to `limit` except for the final dot: the server may already have accepted the mail,
 * and a retry would duplicate it (RFC 1047).
 */
export const smtpTimeouts = (limit: Duration.Duration): SmtpTimeouts => ({
  connection: Duration.min(standard.connection, limit),
  greeting: Duration.min(standard.greeting, limit),
  command: Duration.min(standard.command, limit),
  data: Duration.min(standard.data, limit),
  block: Duration.min(standard.block, limit),
  dot: standard.dot
})

/** The connection settings of an SMTP server. */
export interface SmtpRelay {
  readonly host: string
  readonly port: number
  /** Implicit TLS (RFC 8314) instead of STARTTLS. */
  readonly implicitTls: boolean
  /**
   * `opportunistic`: STARTTLS if offered, unverified. `encrypt`: TLS, unverified. `require`: TLS with a verified
   * certificate. `dane`: TLS verified by `tlsa`.
   */
  readonly tls: "opportunistic" | "encrypt" | "require" | "dane"
  /** The TLSA records of the server, for `dane` only. */
  readonly tlsa: ReadonlyArray<TlsaRecord>
  /** The client's host name in EHLO. */
  readonly hostname: string
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted<string> } | null
  readonly timeouts: SmtpTimeouts
}

/** The relay for outgoing mail, and the maximum number of connections for messages. */
export class RelaySettings extends Context.Tag("channels/RelaySettings")<
  RelaySettings,
  SmtpRelay & { readonly connections: number }
>() {}

/** The host and the port of a relay, for logs, metrics and findings. */
export const relayName = ({ host, port }: Pick<SmtpRelay, "host" | "port">): string => `${host}:${port}`

/** Parses a relay URL: `smtp://user:password@host:port`, or `smtps://` for implicit TLS. Default ports: 587 and 465. */
export const smtpRelay = ({
  url,
  ...rest
}: Pick<SmtpRelay, "hostname" | "timeouts" | "tls"> & { readonly url: Redacted.Redacted<string> }): SmtpRelay => {
  const relay = new URL(Redacted.value(url))
  const implicitTls = relay.protocol === "smtps:"
  const { pass, user } = urlCredentials(relay)
  return {
    ...rest,
    host: relay.hostname.replace(/^\[|\]$/g, ""),
    port: relay.port === "" ? (implicitTls ? 465 : 587) : Number(relay.port),
    implicitTls,
    tlsa: [],
    credentials: user === "" ? null : { user, password: Redacted.make(pass) }
  }
}
