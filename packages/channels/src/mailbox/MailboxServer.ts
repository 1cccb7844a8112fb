import { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import { Complaints } from "@switchboard/services/email/feedback/Complaints"
import { ForwardingOwner } from "@switchboard/services/email/forwarding/ForwardingOwner"
import { MailboxRepo } from "@switchboard/services/mailbox/MailboxRepo"
import { WayIn } from "@switchboard/services/mailbox/WayIn"
import { type FeedbackId, parseFeedbackId } from "@switchboard/services/messages/delivery/FeedbackId"
import { returnPath } from "@switchboard/services/messages/delivery/SignedAddress"
import { newId } from "@switchboard/services/NewId"
import { newUuid } from "@switchboard/services/NewUuid"
import { Signatures } from "@switchboard/services/Signatures"
import { Context, Data, DateTime, Effect, FiberSet, Layer, Option, Schedule } from "effect"
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server"
import { asciiAddress } from "../smtp/AsciiAddress.js"
import { closeTimeout, largestMail, mostRecipients, smtpListener } from "../smtp/SmtpListener.js"
import { smtpRefusal } from "../smtp/SmtpRefusal.js"
import { feedbackReport } from "./FeedbackReport.js"
import { makeDeferrals, wishOf } from "./Wishes.js"

/** Where the local mailbox is to listen; on a free port with port 0. */
export class MailboxSettings extends Context.Tag("channels/MailboxSettings")<
  MailboxSettings,
  { readonly host: string; readonly port: number }
>() {}
/** Octets of a mail that are searched for its headers. */
const maxHeaderOctets = 128 * 1024

/** The first header of this name in a raw mail, unfolded (RFC 5322 section 2.2.3); empty if there is none. */
const headerValue = (raw: Buffer, name: string): string => {
  const start = raw.subarray(0, maxHeaderOctets).toString("latin1")
  const end = start.indexOf("\r\n\r\n")
  const lines = (end < 0 ? start : start.slice(0, end)).replace(/\r\n(?=[ \t])/g, "").split("\r\n")
  const prefix = `${name.toLowerCase()}:`
  const line = lines.find((candidate) => candidate.toLowerCase().startsWith(prefix))
  return line === undefined ? "" : line.slice(prefix.length).trim()
}

/** Where the local mailbox listens. */
export class MailboxAddress extends Context.Tag("channels/MailboxAddress")<
  MailboxAddress,
  { readonly host: string; readonly port: number }
>() {}

/** The local mailbox can't listen; the message says where. */
export class MailboxServerError extends Data.TaggedError("MailboxServerError")<{ readonly message: string }> {}

/** RFC 5321 section 4.5.3.2.7: a client that says nothing is waited for. */
const idleTimeout = 5 * 60 * 1000

/** A report that does not get through, or comes before its message is known to be sent, is told again. */
const untilKnown = Schedule.intersect(Schedule.spaced("200 millis"), Schedule.recurs(150))

const envelopeOf = ({ envelope: { dsn, mailFrom, rcptTo } }: SMTPServerSession) => ({
  envelopeId: dsn?.envid ?? null,
  mailFrom: mailFrom ? asciiAddress(mailFrom.address) : "",
  rcptTo: rcptTo.map(({ address }) => asciiAddress(address))
})

/** Reads a mail to its end, but keeps no more of it than the server takes. */
const readMail = (stream: SMTPServerDataStream, done: (raw: Buffer | null) => void) => {
  const chunks: Array<Buffer> = []
  stream.on("data", (chunk: Buffer) => {
    if (stream.sizeExceeded) chunks.length = 0
    else chunks.push(chunk)
  })
  stream.on("end", () => done(stream.sizeExceeded ? null : Buffer.concat(chunks)))
}

/**
 * A real SMTP server that keeps what it gets, for everyone who has no relay yet. `+bounce` in an address makes it
 * answer 550, `+defer` 451 once for each message, `+complain` report the mail as unwanted: by a mail to its return path,
 * as providers do, or at the desk itself where nothing comes back to.
 */
export const MailboxServer = Layer.scoped(
  MailboxAddress,
  Effect.gen(function* () {
    const { host, port } = yield* MailboxSettings
    const repo = yield* MailboxRepo
    const signatures = yield* Signatures
    const complaints = yield* Complaints
    const forwarded = yield* ForwardingOwner
    const wayIn = yield* WayIn
    const run = yield* FiberSet.makeRuntime<never>()
    const deferred = makeDeferrals()

    const judge = (address: string, session: SMTPServerSession): Error | null => {
      if (session.envelope.rcptTo.length >= mostRecipients) return smtpRefusal(452, "4.5.3 Too many recipients")
      const wish = wishOf(address)
      if (wish === "bounce") return smtpRefusal(550, "5.1.1 No such mailbox here")
      return wish === "defer" && deferred(envelopeOf(session), address)
        ? smtpRefusal(451, "4.7.1 Please try again later")
        : null
    }

    const told = <A, E>(report: Effect.Effect<A, E>) =>
      report.pipe(
        Effect.catchAll((error) => Effect.logWarning("The local mailbox's complaint was not recorded", error)),
        Effect.asVoid
      )

    const complain = (feedback: FeedbackId, recipient: string) =>
      complaints.report(feedback, [recipient], "abuse").pipe(
        Effect.filterOrFail((outcome) => outcome !== "tooEarly"),
        Effect.retry(untilKnown),
        told
      )

    const report = Effect.fnUntraced(function* (raw: Buffer, mailFrom: string, recipient: string) {
      const from = `feedback@${recipient.slice(recipient.lastIndexOf("@") + 1)}`
      const now = yield* DateTime.now
      const id = newUuid({ msecs: DateTime.toEpochMillis(now) })
      const mail = feedbackReport({ id, date: DateTime.toDateUtc(now), from, to: mailFrom, recipient, raw })
      yield* wayIn.bringWritten({ mailFrom: from, rcptTo: [mailFrom], raw: mail }).pipe(
        Effect.filterOrFail(({ response }) => response !== null),
        Effect.retry(untilKnown),
        told
      )
    })

    const keep = Effect.fnUntraced(
      function* (raw: Buffer, session: SMTPServerSession) {
        const { mailFrom, rcptTo } = envelopeOf(session)
        const { id, now } = yield* newId(MailboxMailId)
        const feedback = parseFeedbackId(signatures, headerValue(raw, "feedback-id"))
        // What is forwarded may have been another organization's mail: then it still says so.
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
        const comesBack = Option.isSome(returnPath.parse(signatures, mailFrom))
        for (const address of rcptTo) {
          if (wishOf(address) !== "complain") continue
          run(comesBack ? report(raw, mailFrom, address) : complain(feedback.value, address))
        }
      },
      Effect.tapErrorCause((cause) => Effect.logWarning("The local mailbox could not keep a mail", cause))
    )

    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["AUTH", "STARTTLS"],
      disableReverseLookup: true,
      hideDSN: false,
      size: largestMail,
      banner: "Switchboard local mailbox",
      logger: false,
      socketTimeout: idleTimeout,
      closeTimeout,
      onRcptTo: ({ address }, session, callback) => callback(judge(address, session)),
      onData: (stream, session, callback) =>
        readMail(stream, (raw) => {
          if (raw === null) return callback(smtpRefusal(552, "5.3.4 The mail is too large"))
          run(keep(raw, session)).addObserver((exit) =>
            callback(exit._tag === "Success" ? null : smtpRefusal(451, "4.3.0 The mail can't be kept now"))
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
