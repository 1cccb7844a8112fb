import {
  type DkimIdentity,
  type MailDeferred,
  type MailReceipt,
  type MailRefused,
  MailTransport,
  type OutgoingMail,
  type RelayUnavailable
} from "@switchboard/services/messages/MailTransport"
import { Duration, Effect, Layer, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { urlCredentials } from "../UrlCredentials.js"
import { relaySocket } from "./RelaySocket.js"
import { signMail } from "./SignMail.js"
import { smtpMail } from "./SmtpMail.js"
import { probeRelay } from "./SmtpProbe.js"
import { failureOf, receiptOf } from "./SmtpReplies.js"

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
const standardTimeouts: SmtpTimeouts = {
  connection: Duration.seconds(30),
  greeting: Duration.minutes(5),
  reply: Duration.minutes(10)
}

/** An open connection that the relay has closed meanwhile costs no attempt: the mail goes out over another. */
const mostReconnects = 2

/** The relay as the SMTP client is told of it. */
const relayOptions = ({ hostname, timeouts = standardTimeouts, tls, url }: SmtpTransportOptions) => {
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

/** Sends through one relay, over connections that are kept open. */
export const SmtpTransport = (options: SmtpTransportOptions) =>
  Layer.scoped(
    MailTransport,
    Effect.gen(function* () {
      const relay = relayOptions(options)
      /** The sends whose transaction has begun, by what would end them. */
      const begun = new WeakSet<AbortSignal>()
      /** Who signs what is sent, by the same. */
      const identities = new WeakMap<AbortSignal, DkimIdentity>()
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createTransport({
            pool: true,
            maxConnections: options.connections,
            maxMessages: 1_000,
            maxRequeues: mostReconnects,
            disableFileAccess: true,
            disableUrlAccess: true,
            getSocket: relaySocket((options.timeouts ?? standardTimeouts).connection),
            ...relay
          })
        ),
        (pool) => Effect.sync(() => pool.close({ force: true }))
      )
      transport.use("stream", ({ data, message }, done) => {
        // The mail is read when the relay has let us in, and not before.
        message.processFunc((mime) => {
          if (data.signal !== undefined) begun.add(data.signal)
          // Over a second connection, the library would still find what the first one said of the sender.
          Object.assign(message.getEnvelope(), { mailError: undefined })
          const identity = data.signal === undefined ? undefined : identities.get(data.signal)
          return identity === undefined ? mime : signMail(mime, identity)
        })
        done()
      })

      /** An interrupted send leaves the queue, or takes its connection with it. */
      const send = (mail: OutgoingMail) =>
        Effect.async<MailReceipt, MailRefused | MailDeferred | RelayUnavailable>((resume, signal) => {
          if (mail.dkim !== null) identities.set(signal, mail.dkim)
          transport.sendMail({ ...smtpMail(mail), signal }, (error, sent) =>
            resume(error === null ? Effect.succeed(receiptOf(sent)) : failureOf(error, begun.has(signal)))
          )
        })

      return { relay: `${relay.host}:${relay.port}`, send, probe: probeRelay(relay) }
    })
  )
