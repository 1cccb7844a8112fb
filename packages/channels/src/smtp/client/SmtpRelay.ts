import { Context, Redacted } from "effect"
import { urlCredentials } from "../../UrlCredentials.js"
import type { SmtpTimeouts } from "./SmtpTimeouts.js"

/** The connection settings of an SMTP server. */
export interface SmtpRelay {
  readonly host: string
  readonly port: number
  /** Implicit TLS (RFC 8314) instead of STARTTLS. */
  readonly implicitTls: boolean
  /** `opportunistic`: STARTTLS if offered, unverified. `require`: TLS with a verified certificate. */
  readonly tls: "opportunistic" | "require"
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
    credentials: user === "" ? null : { user, password: Redacted.make(pass) }
  }
}
