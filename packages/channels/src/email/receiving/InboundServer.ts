import { readFile } from "node:fs/promises"
import type { Socket } from "node:net"
import { createSecureContext, type TLSSocket } from "node:tls"
import { addressKey, EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { InboundRecipients } from "@switchboard/services/email/receiving/addresses/InboundRecipients"
import type { InboundRecipient, UnsubscribeRecipient } from "@switchboard/services/email/receiving/InboundMail"
import { Context, Data, Duration, Effect, type Exit, FiberSet, Layer, Option, Schedule, Schema } from "effect"
import ipaddr from "ipaddr.js"
import { SMTPServer, type SMTPServerEnvelope, type SMTPServerOptions, type SMTPServerSession } from "smtp-server"
import type { SMTPConnectionOptions } from "smtp-server/lib/smtp-connection.js"
import { closeTimeout, maxMailSize, maxRecipients, smtpListener, smtpRefusal } from "../../smtp/SmtpListener.js"
import { makeReceiveMail } from "./ReceiveMail.js"
import { SendRefused } from "./reading/ReadOctets.js"
import { StrictConnection } from "./StrictConnection.js"

/** The paths of a certificate and its private key, both in PEM. */
export interface CertificateFiles {
  readonly cert: string
  readonly key: string
}

/** The certificate or its key can't be read, or they don't match; the message has the reason. */
export class InvalidCertificate extends Data.TaggedError("InvalidCertificate")<{ readonly message: string }> {}

const reason = (cause: unknown) => (cause instanceof Error ? cause.message : String(cause))

/** Reads a certificate and its private key, and verifies that they match. */
const readCertificate = (files: CertificateFiles) =>
  Effect.tryPromise({
    try: async () => {
      const [cert, key] = await Promise.all([readFile(files.cert), readFile(files.key)])
      createSecureContext({ cert, key })
      return { cert, key }
    },
    catch: (cause) =>
      new InvalidCertificate({
        message: `INBOUND_TLS_CERT and INBOUND_TLS_KEY must be the paths of a certificate and its private key in PEM (${reason(cause)})`
      })
  })

/** An SMTP server with strict syntax checks and a maximum session duration. */
class StrictSmtpServer extends SMTPServer {
  readonly #makeConnection: ReturnType<typeof StrictConnection.withTimeout>

  constructor(options: SMTPServerOptions & { readonly sessionTimeout: number }) {
    super(options)
    this.#makeConnection = StrictConnection.withTimeout(options.sessionTimeout)
  }

  override connect(socket: Socket | TLSSocket, socketOptions?: SMTPConnectionOptions | null): void {
    const connection = this.#makeConnection(this, socket, socketOptions)
    this.connections.add(connection)
    connection.on("error", (error) => this._onError(error))
    connection.on("connect", (info) => this._onClientConnect(info))
    connection.init()
  }
}

/** The address of an IPv4 client, the /64 of an IPv6 client: one host can use every address of its /64. */
const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === "ipv6" ? ipaddr.parseCIDR(`${parsed.toString()}/64`).join() : parsed.toString()
}

/** Counts the connections from the same IPv4 address or IPv6 /64 as `address`. */
const countConnections = (address: string, connections: Iterable<{ readonly remoteAddress: string }>): number => {
  const network = networkOf(address)
  let count = 0
  for (const { remoteAddress } of connections) if (networkOf(remoteAddress) === network) count += 1
  return count
}

/** The address that the inbound SMTP server listens on. */
export class InboundAddress extends Context.Tag("channels/InboundAddress")<
  InboundAddress,
  { readonly host: string; readonly port: number }
>() {}

/** The inbound SMTP server can't listen; the message has the reason. */
export class InboundServerError extends Data.TaggedError("InboundServerError")<{ readonly message: string }> {}

/** The listen address, host name, certificate and timeouts of the inbound SMTP server. Port 0 selects a free port. */
export class InboundSettings extends Context.Tag("channels/InboundSettings")<
  InboundSettings,
  {
    readonly host: string
    readonly port: number
    readonly hostname: string
    readonly certificate: Option.Option<CertificateFiles>
    readonly idleTimeout?: Duration.Duration
    readonly sessionTimeout?: Duration.Duration
  }
>() {}

/** Further connections get 421. */
const maxConnections = 500
const maxConnectionsPerAddress = 20

/** In octets. RFC 5321 section 4.5.3.1.4 requires 512, and extensions add to it. */
const maxCommandLength = 4_096

/** A renewed certificate is used without a restart. */
const certificateReloadInterval = "1 hour"

const decodeAddress = Schema.decodeOption(EmailAddress)
/** A quoted local part may contain spaces. */
const ascii = /^[\x20-\x7e]{0,320}$/

const relayDenied = smtpRefusal(550, "5.7.1 Relaying is denied")
const noSuchMailbox = smtpRefusal(550, "5.1.1 No such mailbox here")
const tryAgain = smtpRefusal(451, "4.3.0 Please try again later")

/** The SMTP reply to a failed DATA. */
const replyFor = (error: unknown): Error =>
  error instanceof SendRefused ? smtpRefusal(error.code, error.message) : tryAgain

/**
 * The inbound SMTP server. It relays nothing: RCPT accepts only known recipients. DATA gets 250 after the mail and its
 * unsubscribes are stored.
 */
export const InboundServer = Layer.scoped(
  InboundAddress,
  Effect.gen(function* () {
    const { certificate, host, hostname, port, ...timeouts } = yield* InboundSettings
    const recipients = yield* InboundRecipients
    const receive = yield* makeReceiveMail
    const run = yield* FiberSet.makeRuntime<never>()
    // The library creates one envelope per mail.
    const recipientsByEnvelope = new WeakMap<SMTPServerEnvelope, Map<string, InboundRecipient | UnsubscribeRecipient>>()

    const checkRecipient = Effect.fnUntraced(function* (path: string, { envelope }: SMTPServerSession) {
      const isPostmaster = path.toLowerCase() === "postmaster"
      const address = decodeAddress(path)
      if (Option.isNone(address) && !isPostmaster) {
        return yield* Effect.fail(path.includes("@") ? relayDenied : noSuchMailbox)
      }
      const recipient = yield* (
        Option.isSome(address) ? recipients.find(address.value) : recipients.findPostmaster
      ).pipe(
        Effect.catchTags({
          RelayDenied: () => Effect.fail(relayDenied),
          UnknownRecipient: () => Effect.fail(noSuchMailbox),
          ServiceUnavailableError: () => Effect.fail(tryAgain)
        })
      )
      const accepted = recipientsByEnvelope.get(envelope) ?? new Map<string, InboundRecipient | UnsubscribeRecipient>()
      recipientsByEnvelope.set(envelope, accepted.set(addressKey(recipient.address), recipient))
    })

    const respond =
      (callback: (error: Error | null) => void, toReply: (error: unknown) => Error) =>
      (exit: Exit.Exit<void, unknown>) =>
        callback(exit._tag === "Success" ? null : toReply(exit.cause._tag === "Fail" ? exit.cause.error : exit.cause))

    const server = new StrictSmtpServer({
      name: hostname,
      banner: "Switchboard",
      authOptional: true,
      disabledCommands: ["AUTH", "WIZ", "SHELL", "KILL", ...(Option.isNone(certificate) ? ["STARTTLS"] : [])],
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      // Every mailbox here has an ASCII local part; domains are compared as A-labels.
      hideSMTPUTF8: true,
      lenientAddressParsing: true,
      logger: false,
      maxClients: maxConnections,
      maxCommandLength,
      maxRecipients,
      size: maxMailSize,
      ...(Option.isSome(certificate) ? yield* readCertificate(certificate.value) : {}),
      socketTimeout: Duration.toMillis(timeouts.idleTimeout ?? Duration.minutes(1)),
      sessionTimeout: Duration.toMillis(timeouts.sessionTimeout ?? Duration.minutes(10)),
      closeTimeout,
      onConnect: ({ remoteAddress }, callback) =>
        callback(
          countConnections(remoteAddress, server.connections) > maxConnectionsPerAddress
            ? smtpRefusal(421, "4.7.0 Too many connections from your address")
            : null
        ),
      onMailFrom: ({ address }, _session, callback) =>
        callback(ascii.test(address) ? null : smtpRefusal(553, "5.6.7 Only ASCII addresses are accepted")),
      onRcptTo: ({ address }, session, callback) =>
        run(checkRecipient(address, session)).addObserver(
          respond(callback, (error) => (error instanceof Error ? error : tryAgain))
        ),
      onData: (stream, session, callback) =>
        run(
          receive(stream, {
            session,
            recipients: [...(recipientsByEnvelope.get(session.envelope)?.values() ?? [])]
          }).pipe(
            Effect.tapErrorTag("ServiceUnavailableError", () =>
              Effect.logWarning("An inbound mail could not be stored; the client got 451")
            ),
            Effect.tapDefect((cause) => Effect.logError("Receiving a mail failed", cause))
          )
        ).addObserver(respond(callback, replyFor))
    })

    if (Option.isSome(certificate)) {
      yield* readCertificate(certificate.value).pipe(
        Effect.map((read) => server.updateSecureContext(read)),
        Effect.catchAll(({ message }) => Effect.logWarning(message)),
        Effect.schedule(Schedule.spaced(certificateReloadInterval)),
        Effect.forkScoped
      )
    }
    return {
      host,
      port: yield* smtpListener(server, {
        host,
        port,
        failed: (message) =>
          new InboundServerError({
            message: `The inbound SMTP server can't listen on ${host}:${port} (${message}): set INBOUND_SMTP_PORT to a free port`
          }),
        sessionFailed: (error) => run(Effect.logDebug("SMTP session failed", error))
      })
    }
  })
)
