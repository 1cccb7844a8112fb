import { addressKey, EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { InboundRecipients } from "@switchboard/services/email/receiving/addresses/InboundRecipients"
import type { InboundRecipient, UnsubscribeRecipient } from "@switchboard/services/email/receiving/InboundMail"
import { Context, Data, Effect, FiberSet, Layer, Option, Schema } from "effect"
import type { SMTPServerEnvelope, SMTPServerSession } from "smtp-server"
import { maxRecipients, smtpListener, smtpRefusal, tryAgain } from "../../smtp/SmtpListener.js"
import { type CertificateFiles, respondWith, type SessionTimeouts, strictServer } from "../../smtp/StrictServer.js"
import { makeReceiveMail } from "./ReceiveMail.js"
import { SendRefused } from "./reading/ReadOctets.js"

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
  } & SessionTimeouts
>() {}

const decodeAddress = Schema.decodeOption(EmailAddress)
/** A quoted local part may contain spaces. */
const ascii = /^[\x20-\x7e]{0,320}$/

const relayDenied = smtpRefusal(550, "5.7.1 Relaying is denied")
const noSuchMailbox = smtpRefusal(550, "5.1.1 No such mailbox here")

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

    const server = yield* strictServer({
      certificate,
      timeouts,
      name: hostname,
      authOptional: true,
      disabledCommands: ["AUTH"],
      maxRecipients,
      onMailFrom: ({ address }, _session, callback) =>
        callback(ascii.test(address) ? null : smtpRefusal(553, "5.6.7 Only ASCII addresses are accepted")),
      onRcptTo: ({ address }, session, callback) =>
        run(checkRecipient(address, session)).addObserver(
          respondWith(callback, (error) => (error instanceof Error ? error : tryAgain))
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
        ).addObserver(respondWith(callback, replyFor))
    })

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
