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
  /** The name of the server, for TLS and logs. */
  readonly host: string
  /** The address to connect to; left out to look up `host`. */
  readonly address?: string
  /** The address of this machine to connect from; left out for the system's choice. */
  readonly localAddress?: string | undefined
  readonly port: number
  /** Implicit TLS (RFC 8314) instead of STARTTLS. */
  readonly implicitTls: boolean
  /**
   * `none`: clear text. `opportunistic`: STARTTLS if offered, unverified. `encrypt`: TLS, unverified. `require`: TLS with a
   * verified certificate. `dane`: TLS verified by `tlsa`.
   */
  readonly tls: "none" | "opportunistic" | "encrypt" | "require" | "dane"
  /** The TLSA records of the server, for `dane` only. */
  readonly tlsa: ReadonlyArray<TlsaRecord>
  /** The client's host name in EHLO. */
  readonly hostname: string
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted<string> } | null
  readonly timeouts: SmtpTimeouts
}

/** A relay among several. */
export interface ConfiguredRelay extends SmtpRelay {
  /** Relays with a lower number are used first; those with a higher one while the circuit breakers of these are open. */
  readonly priority: number
  /** The share of the mails among relays of the same priority. */
  readonly weight: number
  /** The domains of the senders whose mail it takes, and no other mail; empty for all others. */
  readonly domains: ReadonlyArray<string>
}

/** The relays for outgoing mail, and the maximum number of connections for messages to each. */
export class RelaySettings extends Context.Tag("channels/RelaySettings")<
  RelaySettings,
  { readonly relays: readonly [ConfiguredRelay, ...Array<ConfiguredRelay>]; readonly connections: number }
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
