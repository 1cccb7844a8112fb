import { Duration, Redacted } from "effect"
import { urlCredentials } from "../UrlCredentials.js"

/** How long a relay is waited for. */
export interface SmtpTimeouts {
  readonly connection: Duration.Duration
  readonly greeting: Duration.Duration
  /** Without a sign of life, at any command. */
  readonly reply: Duration.Duration
}

/** How the relay is reached. */
export interface SmtpTransportOptions {
  /** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
  readonly url: Redacted.Redacted<string>
  /** STARTTLS if it is offered, or verified TLS or nothing. */
  readonly tls: "opportunistic" | "require"
  /** The name that EHLO gives. */
  readonly hostname: string
  /** Connections at a time. */
  readonly connections: number
  readonly timeouts?: SmtpTimeouts
}

/** RFC 5321 section 4.5.3.2: the greeting within 5 minutes, and 10 minutes for the longest wait, that for the final dot. */
export const standardTimeouts: SmtpTimeouts = {
  connection: Duration.seconds(30),
  greeting: Duration.minutes(5),
  reply: Duration.minutes(10)
}

/** The relay as the SMTP client is told of it. */
export const relayOptions = ({ hostname, timeouts = standardTimeouts, tls, url }: SmtpTransportOptions) => {
  const relay = new URL(Redacted.value(url))
  const implicit = relay.protocol === "smtps:"
  return {
    host: relay.hostname.replace(/^\[|\]$/g, ""),
    port: relay.port === "" ? (implicit ? 465 : 587) : Number(relay.port),
    secure: implicit,
    name: hostname,
    requireTLS: tls === "require",
    opportunisticTLS: tls === "opportunistic",
    tls: { rejectUnauthorized: tls === "require" },
    ...(relay.username === "" ? {} : { auth: urlCredentials(relay) }),
    connectionTimeout: Duration.toMillis(Duration.sum(timeouts.connection, timeouts.greeting)),
    greetingTimeout: Duration.toMillis(timeouts.greeting),
    socketTimeout: Duration.toMillis(timeouts.reply)
  }
}
