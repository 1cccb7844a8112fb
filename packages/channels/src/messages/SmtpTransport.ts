import { type MailReceipt, MailTransport, type OutgoingMail } from "@switchboard/services/messages/MailTransport"
import { DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { createTransport } from "nodemailer"
import { probeRelay } from "./SmtpProbe.js"
import { failureOf, receiptOf } from "./SmtpReplies.js"

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
}

/** RFC 5321 section 4.5.3.2: the greeting within 5 minutes, and 10 minutes for the reply to the final dot. */
const timeouts = {
  connectionTimeout: Duration.toMillis("30 seconds"),
  greetingTimeout: Duration.toMillis("5 minutes"),
  socketTimeout: Duration.toMillis("10 minutes")
}

/** The relay as the SMTP client is told of it. */
export const relayOptions = ({ hostname, tls, url }: SmtpTransportOptions) => {
  const { hostname: host, password, port, protocol, username } = new URL(Redacted.value(url))
  const implicit = protocol === "smtps:"
  return {
    host: host.replace(/^\[|\]$/g, ""),
    port: port === "" ? (implicit ? 465 : 587) : Number(port),
    secure: implicit,
    name: hostname,
    requireTLS: tls === "require",
    opportunisticTLS: tls === "opportunistic",
    tls: { rejectUnauthorized: tls === "require" },
    ...(username === "" ? {} : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    ...timeouts
  }
}

/** The mail as the MIME composer takes it: nothing in it is a path, an address to fetch, or a list in one string. */
const composed = (mail: OutgoingMail) => ({
  envelope: {
    from: mail.mailFrom,
    to: [...mail.rcptTo]
  },
  dsn: {
    id: mail.envelopeId,
    return: "headers",
    ...(mail.notify ? { notify: ["success", "failure", "delay"] } : {})
  },
  messageId: mail.messageId,
  date: DateTime.toDateUtc(mail.date),
  from: { name: mail.from.name ?? "", address: mail.from.address },
  to: mail.to.map((address) => ({ name: "", address })),
  cc: mail.cc.map((address) => ({ name: "", address })),
  replyTo: mail.replyTo.map((address) => ({ name: "", address })),
  subject: mail.subject,
  html: mail.html,
  text: mail.text,
  headers: { ...mail.headers },
  attachments: mail.attachments.map(({ content, contentId, contentType, filename }) => ({
    filename,
    contentType,
    content: Buffer.from(content),
    ...(contentId === null ? {} : { cid: contentId, contentDisposition: "inline" as const })
  })),
  disableFileAccess: true,
  disableUrlAccess: true
})

/** Sends through one relay, over connections that are kept open. */
export const SmtpTransport = (options: SmtpTransportOptions) =>
  Layer.scoped(
    MailTransport,
    Effect.gen(function* () {
      const relay = relayOptions(options)
      const transport = yield* Effect.acquireRelease(
        Effect.sync(() =>
          createTransport({
            pool: true,
            maxConnections: options.connections,
            maxMessages: 1_000,
            disableFileAccess: true,
            disableUrlAccess: true,
            ...relay
          })
        ),
        (pool) => Effect.sync(() => pool.close())
      )

      const send = (mail: OutgoingMail) =>
        Effect.async<MailReceipt, ReturnType<typeof failureOf>>((resume) => {
          transport.sendMail(composed(mail), (error: unknown, result: unknown) => {
            const receipt = error ? Option.none() : receiptOf(result)
            resume(Option.isSome(receipt) ? Effect.succeed(receipt.value) : Effect.fail(failureOf(error)))
          })
        }).pipe(
          // That every recipient was refused is an answer like any other.
          Effect.catchAll((failure) => ("_tag" in failure ? Effect.fail(failure) : Effect.succeed(failure)))
        )

      return { relay: `${relay.host}:${relay.port}`, send, probe: probeRelay(relay) }
    })
  )
