import { Context, Redacted } from "effect"
import { urlCredentials } from "../../UrlCredentials.js"
import type { SmtpTimeouts } from "./SmtpTimeouts.js"

/** How a server is reached, and how a client introduces itself there. */
export interface SmtpRelay {
  readonly host: string
  readonly port: number
  /** TLS from the first octet (RFC 8314). */
  readonly implicitTls: boolean
  /** STARTTLS if it is offered, or verified TLS or nothing. */
  readonly tls: "opportunistic" | "require"
  /** The name that EHLO gives. */
  readonly hostname: string
  readonly credentials: { readonly user: string; readonly password: Redacted.Redacted<string> } | null
  readonly timeouts: SmtpTimeouts
}

/** The relay for outgoing mail, and the number of its connections for messages. */
export class RelaySettings extends Context.Tag("channels/RelaySettings")<
  RelaySettings,
  SmtpRelay & { readonly connections: number }
>() {}

/** The relay of a URL: `smtp://user:password@host:port`, or `smtps://` for implicit TLS. */
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
