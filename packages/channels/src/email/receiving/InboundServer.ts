import { addressKey, EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { InboundRecipients } from "@switchboard/services/email/receiving/addresses/InboundRecipients"
import type { InboundRecipient, UnsubscribeRecipient } from "@switchboard/services/email/receiving/InboundMail"
import { Context, Data, Duration, Effect, type Exit, FiberSet, Layer, Option, Schedule, Schema } from "effect"
import type { SMTPServerEnvelope, SMTPServerSession } from "smtp-server"
import { closeTimeout, largestMail, mostRecipients, smtpListener } from "../../smtp/SmtpListener.js"
import { smtpRefusal } from "../../smtp/SmtpRefusal.js"
import { connectionsFrom } from "./ConnectionsByAddress.js"
import { type CertificateFiles, readCertificate } from "./InboundCertificate.js"
import { makeReceiveMail } from "./ReceiveMail.js"
import { MailRefused } from "./reading/ReadOctets.js"
import { StrictSmtpServer } from "./StrictSmtpServer.js"

/** Where mail comes in. */
export class InboundAddress extends Context.Tag("channels/InboundAddress")<
  InboundAddress,
  { readonly host: string; readonly port: number }
>() {}

/** Mail can't come in here; the message says why. */
export class InboundServerError extends Data.TaggedError("InboundServerError")<{ readonly message: string }> {}

/** Where to listen, under which name, and how long clients have. */
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

/** Connections in all, and from one address. */
const mostConnections = 500
const mostFromOneAddress = 20

/** RFC 5321 asks for 512 octets, and extensions add to it. */
const longestCommand = 4_096

/** A certificate is renewed without asking us. */
const readCertificateEvery = "1 hour"

const decodeAddress = Schema.decodeOption(EmailAddress)
/** A quoted local part may hold spaces. */
const ascii = /^[\x20-\x7e]{0,320}$/

const relayDenied = smtpRefusal(550, "5.7.1 Relaying is denied")
const unknown = smtpRefusal(550, "5.1.1 No such mailbox here")
const tryAgain = smtpRefusal(451, "4.3.0 Please try again later")

/** What a client hears of what went wrong. */
const replyTo = (error: unknown): Error =>
  error instanceof MailRefused ? smtpRefusal(error.code, error.message) : tryAgain

/**
 * The SMTP server that mail comes in by. Never a relay: every recipient is found before its mail is taken. A mail is
 * accepted with 250 once it is stored and its unsubscribes are.
 */
export const InboundServer = Layer.scoped(
  InboundAddress,
  Effect.gen(function* () {
    const { certificate, host, hostname, port, ...timeouts } = yield* InboundSettings
    const recipients = yield* InboundRecipients
    const receive = yield* makeReceiveMail
    const run = yield* FiberSet.makeRuntime<never>()
    // Each mail has an envelope of its own.
    const found = new WeakMap<SMTPServerEnvelope, Map<string, InboundRecipient | UnsubscribeRecipient>>()

    const judge = Effect.fnUntraced(function* (written: string, { envelope }: SMTPServerSession) {
      const isPostmaster = written.toLowerCase() === "postmaster"
      const address = decodeAddress(written)
      if (Option.isNone(address) && !isPostmaster) {
        return yield* Effect.fail(written.includes("@") ? relayDenied : unknown)
      }
      const recipient = yield* (
        Option.isSome(address) ? recipients.find(address.value) : recipients.findPostmaster
      ).pipe(
        Effect.catchTags({
          RelayDenied: () => Effect.fail(relayDenied),
          UnknownRecipient: () => Effect.fail(unknown),
          ServiceUnavailableError: () => Effect.fail(tryAgain)
        })
      )
      const own = found.get(envelope) ?? new Map<string, InboundRecipient | UnsubscribeRecipient>()
      found.set(envelope, own.set(addressKey(recipient.address), recipient))
    })

    const answer =
      (callback: (error: Error | null) => void, replyOf: (error: unknown) => Error) =>
      (exit: Exit.Exit<void, unknown>) =>
        callback(exit._tag === "Success" ? null : replyOf(exit.cause._tag === "Fail" ? exit.cause.error : exit.cause))

    const server = new StrictSmtpServer({
      name: hostname,
      banner: "Switchboard",
      authOptional: true,
      disabledCommands: ["AUTH", "WIZ", "SHELL", "KILL", ...(Option.isNone(certificate) ? ["STARTTLS"] : [])],
      disableReverseLookup: true,
      hideENHANCEDSTATUSCODES: false,
      // No mailbox here has a name beyond ASCII; domains are known by their A-labels.
      hideSMTPUTF8: true,
      lenientAddressParsing: true,
      logger: false,
      maxClients: mostConnections,
      maxCommandLength: longestCommand,
      maxRecipients: mostRecipients,
      size: largestMail,
      ...(Option.isSome(certificate) ? yield* readCertificate(certificate.value) : {}),
      socketTimeout: Duration.toMillis(timeouts.idleTimeout ?? Duration.minutes(1)),
      sessionTimeout: Duration.toMillis(timeouts.sessionTimeout ?? Duration.minutes(10)),
      closeTimeout,
      onConnect: ({ remoteAddress }, callback) =>
        callback(
          connectionsFrom(remoteAddress, server.connections) > mostFromOneAddress
            ? smtpRefusal(421, "4.7.0 Too many connections from your address")
            : null
        ),
      onMailFrom: ({ address }, _session, callback) =>
        callback(ascii.test(address) ? null : smtpRefusal(553, "5.6.7 Only ASCII addresses are taken")),
      onRcptTo: ({ address }, session, callback) =>
        run(judge(address, session)).addObserver(
          answer(callback, (error) => (error instanceof Error ? error : tryAgain))
        ),
      onData: (stream, session, callback) =>
        run(
          receive(stream, { session, recipients: [...(found.get(session.envelope)?.values() ?? [])] }).pipe(
            Effect.tapErrorTag("ServiceUnavailableError", () => Effect.logWarning("Mail can't be stored now")),
            Effect.tapDefect((cause) => Effect.logError("Mail could not be taken", cause))
          )
        ).addObserver(answer(callback, replyTo))
    })

    if (Option.isSome(certificate)) {
      yield* readCertificate(certificate.value).pipe(
        Effect.map((read) => server.updateSecureContext(read)),
        Effect.catchAll(({ message }) => Effect.logWarning(message)),
        Effect.schedule(Schedule.spaced(readCertificateEvery)),
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
            message: `Mail can't come in on ${host}:${port} (${message}): set INBOUND_SMTP_PORT to a free port`
          }),
        sessionFailed: (error) => run(Effect.logDebug("SMTP session failed", error))
      })
    }
  })
)
