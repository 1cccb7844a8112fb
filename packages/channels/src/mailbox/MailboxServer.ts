import { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import { ForwardingOwner } from "@switchboard/services/email/forwarding/ForwardPath"
import { MailboxComplaints } from "@switchboard/services/mailbox/MailboxComplaints"
import { MailboxRepo, type RawMail } from "@switchboard/services/mailbox/MailboxRepo"
import { headerValue } from "@switchboard/services/mailbox/MailboxSimulations"
import { type FeedbackId, parseFeedbackId } from "@switchboard/services/messages/delivery/SignedReferences"
import { newId } from "@switchboard/services/NewId"
import { Signatures } from "@switchboard/services/SecretBox"
import { Context, Data, Effect, FiberSet, Layer, Option, Schedule } from "effect"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import {
  asciiAddress,
  closeTimeout,
  maxMailSize,
  maxRecipients,
  smtpListener,
  smtpRefusal
} from "../smtp/SmtpListener.js"

/** An outcome that the local mailbox simulates for a recipient. */
type SimulatedOutcome = "bounce" | "defer" | "complain"

const simulatedOutcomes: ReadonlyMap<string, SimulatedOutcome> = new Map([
  ["bounce", "bounce"],
  ["defer", "defer"],
  ["complain", "complain"]
])

/** The simulated outcome of an address: the text after the last plus sign of its local part. */
const simulatedOutcomeOf = (address: string): SimulatedOutcome | undefined =>
  simulatedOutcomes.get(/\+([^+@]*)@[^@]*$/.exec(address)?.[1]?.toLowerCase() ?? "")

const maxDeferrals = 10_000

/**
 * Makes a function that decides whether to defer a recipient. A mail with an envelope id (ENVID, RFC 3461) is deferred
 * once per recipient. Without one, every second mail with the same sender and recipient is deferred. Beyond
 * `maxDeferrals`, the oldest entries are deleted.
 */
export const makeDeferrals = () => {
  const deferrals = new Set<string>()
  return (mail: { readonly envelopeId: string | null; readonly mailFrom: string }, recipient: string): boolean => {
    const key = JSON.stringify([mail.envelopeId ?? mail.mailFrom, recipient.toLowerCase()])
    if (deferrals.has(key)) {
      if (mail.envelopeId === null) deferrals.delete(key)
      return false
    }
    for (const oldest of deferrals) {
      if (deferrals.size < maxDeferrals) break
      deferrals.delete(oldest)
    }
    deferrals.add(key)
    return true
  }
}

/** The listen address of the local mailbox. Port 0 selects a free port. */
export class MailboxSettings extends Context.Tag("channels/MailboxSettings")<
  MailboxSettings,
  { readonly host: string; readonly port: number }
>() {}

/** The address that the local mailbox listens on. */
export class MailboxAddress extends Context.Tag("channels/MailboxAddress")<
  MailboxAddress,
  { readonly host: string; readonly port: number }
>() {}

/** The local mailbox can't listen; the message has the address and the reason. */
export class MailboxServerError extends Data.TaggedError("MailboxServerError")<{ readonly message: string }> {}

/** The idle timeout of a session in milliseconds (RFC 5321 section 4.5.3.2.7). */
const idleTimeout = 5 * 60 * 1000

/** A complaint is retried for 30 seconds: the message may not be recorded as sent yet. */
const complaintRetry = Schedule.intersect(Schedule.spaced("200 millis"), Schedule.recurs(150))

const envelopeOf = ({ envelope: { dsn, mailFrom, rcptTo } }: SMTPServerSession) => ({
  envelopeId: dsn?.envid ?? null,
  mailFrom: mailFrom ? asciiAddress(mailFrom.address) : "",
  rcptTo: rcptTo.map(({ address }) => asciiAddress(address))
})

/** Reads the data of a mail; null if it exceeds the size limit. */
const readMail = (stream: SMTPServerDataStream, done: (raw: Buffer | null) => void) => {
  const chunks: Array<Buffer> = []
  stream.on("data", (chunk: Buffer) => {
    if (stream.sizeExceeded) chunks.length = 0
    else chunks.push(chunk)
  })
  stream.on("end", () => done(stream.sizeExceeded ? null : Buffer.concat(chunks)))
}

/**
 * The local mailbox: an SMTP server that stores every mail, for an installation without a relay. Recipient addresses
 * select simulated outcomes: `+bounce` gets 550, `+defer` gets 451 once per message, `+complain` reports the mail as
 * spam.
 */
export const MailboxServer = Layer.scoped(
  MailboxAddress,
  Effect.gen(function* () {
    const { host, port } = yield* MailboxSettings
    const repo = yield* MailboxRepo
    const signatures = yield* Signatures
    const complaints = yield* MailboxComplaints
    const forwarded = yield* ForwardingOwner
    const run = yield* FiberSet.makeRuntime<never>()
    const deferred = makeDeferrals()

    const checkRecipient = (address: string, session: SMTPServerSession): Error | null => {
      if (session.envelope.rcptTo.length >= maxRecipients) return smtpRefusal(452, "4.5.3 Too many recipients")
      const outcome = simulatedOutcomeOf(address)
      if (outcome === "bounce") return smtpRefusal(550, "5.1.1 No such mailbox here")
      return outcome === "defer" && deferred(envelopeOf(session), address)
        ? smtpRefusal(451, "4.7.1 Please try again later")
        : null
    }

    const complain = (mail: Pick<RawMail, "mailFrom" | "raw">, feedback: FeedbackId, recipient: string) =>
      complaints.report(mail, feedback, recipient).pipe(
        Effect.retry(complaintRetry),
        Effect.catchAll((error) => Effect.logWarning("The local mailbox could not record a complaint", error))
      )

    const store = Effect.fnUntraced(
      function* (raw: Buffer, session: SMTPServerSession) {
        const { mailFrom, rcptTo } = envelopeOf(session)
        const { id, now } = yield* newId(MailboxMailId)
        const feedback = parseFeedbackId(signatures, headerValue(raw, "feedback-id"))
        // A forwarded mail may have the Feedback-ID of the organization that sent it, so the forwarder takes precedence.
        const forwarder = yield* forwarded.find(mailFrom)
        const owner = Option.orElse(forwarder, () => Option.map(feedback, ({ organizationId }) => organizationId))
        yield* repo.insert({
          id,
          organizationId: Option.getOrNull(owner),
          messageId: headerValue(raw, "message-id"),
          mailFrom,
          rcptTo,
          raw,
          receivedAt: now
        })
        if (Option.isNone(feedback)) return
        for (const address of rcptTo) {
          if (simulatedOutcomeOf(address) === "complain") run(complain({ mailFrom, raw }, feedback.value, address))
        }
      },
      Effect.tapErrorCause((cause) => Effect.logWarning("The local mailbox could not store a mail", cause))
    )

    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      disableReverseLookup: true,
      hideDSN: false,
      size: maxMailSize,
      banner: "Switchboard local mailbox",
      logger: false,
      socketTimeout: idleTimeout,
      closeTimeout,
      onRcptTo: ({ address }, session, callback) => callback(checkRecipient(address, session)),
      onData: (stream, session, callback) =>
        readMail(stream, (raw) => {
          if (raw === null) return callback(smtpRefusal(552, "5.3.4 The mail is too large"))
          run(store(raw, session)).addObserver((exit) =>
            callback(exit._tag === "Success" ? null : smtpRefusal(451, "4.3.0 The mail can't be stored now"))
          )
        })
    })

    const listeningPort = yield* smtpListener(server, {
      host,
      port,
      failed: (message) =>
        new MailboxServerError({
          message: `The local mailbox can't listen on ${host}:${port} (${message}): set MAILBOX_SMTP_PORT to a free port`
        }),
      sessionFailed: (error) => run(Effect.logDebug("SMTP session failed", error))
    })
    return { host, port: listeningPort }
  })
)
