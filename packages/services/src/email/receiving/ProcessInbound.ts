import { addressesIn, fieldOf } from "@switchboard/domain/email/feedback/ReportFields"
import { DateTime, Duration, Effect, Either, Layer, Metric } from "effect"
import { Feedback } from "../feedback/Feedback.js"
import { Forwarding } from "../forwarding/Forwarding.js"
import { MailReporting } from "../reports/MailReporting.js"
import { type InboundMail, isReportAddress, isReturnPath } from "./InboundMail.js"
import { type ProcessedMail, ProcessMail, type TakenMail } from "./InboundQueue.js"
import {
  type HeaderAddress,
  headerOf,
  MailAuthenticator,
  MailReader,
  type ReadMail,
  UnreadableMail
} from "./ReadMail.js"
import { ReceivedMessages } from "./ReceivedMessages.js"
import { withoutReturnedLinks } from "./ReturnedLinks.js"

const maxAddresses = 50

const mailboxes = (value: string): ReadonlyArray<HeaderAddress> =>
  addressesIn(value)
    .slice(0, maxAddresses)
    .map((address) => ({ name: "", address }))

const messageIds = (value: string): ReadonlyArray<string> => value.match(/<[^<>\s]{1,998}>/g) ?? []

/**
 * The header of an unreadable mail, as far as it can be parsed, with the raw mail attached. The text states the reason.
 */
export const unparsedMail = (raw: Uint8Array, problem: string): ReadMail => {
  const headers = headerOf(raw)
  const value = (name: string) => fieldOf(headers, name)
  const text = `This mail can't be read. ${problem}. The original mail is attached.`
  return {
    headers,
    messageId: messageIds(value("message-id"))[0] ?? "",
    inReplyTo: messageIds(value("in-reply-to")),
    references: messageIds(value("references")),
    from: mailboxes(value("from"))[0] ?? { name: "", address: "" },
    replyTo: mailboxes(value("reply-to")),
    to: mailboxes(value("to")),
    cc: mailboxes(value("cc")),
    subject: value("subject"),
    text,
    html: "",
    replyText: text,
    parts: [
      {
        filename: "unread.eml",
        contentType: "message/rfc822",
        contentId: null,
        isInline: false,
        content: raw
      }
    ]
  }
}

const minRetryDelay = Duration.seconds(5)
const maxRetryDelay = Duration.minutes(15)

/**
 * Reports about messages that are still unsettled are dropped after this time: a message is settled within 72 hours.
 */
const maxRetryTime = Duration.hours(96)

const unreadTotal = Metric.counter("switchboard_inbound_unread_total", {
  description: "Received mails that could not be parsed",
  incremental: true
})

const unclassifiedTotal = Metric.counter("switchboard_inbound_unclassified_total", {
  description: "Received mails to a return path that are no report that can be read",
  incremental: true
})

/** The authentication results of a mail that is not parsed. */
const notAsked = { spf: "temperror", dkim: "temperror", dmarc: "temperror" }

/** The delay before the next attempt grows with the age of the mail. */
const again = ({ receivedAt }: InboundMail, now: DateTime.Utc): DateTime.Utc =>
  DateTime.addDuration(
    now,
    Duration.clamp(DateTime.distanceDuration(receivedAt, now), { minimum: minRetryDelay, maximum: maxRetryDelay })
  )

const later = (mail: InboundMail): Effect.Effect<ProcessedMail> =>
  Effect.map(DateTime.now, (now) => ({ _tag: "Later", at: again(mail, now) }))

const isOverdue = ({ receivedAt }: InboundMail): Effect.Effect<boolean> =>
  Effect.map(DateTime.now, (now) => Duration.greaterThan(DateTime.distanceDuration(receivedAt, now), maxRetryTime))

/**
 * Processes received mail: parses it, applies reports about sent messages, forwards it, and receives it for the
 * remaining recipients. A mail to the return path of a message, or to the address for reports, is received only if it is
 * no report that can be read.
 */
export const ProcessInbound = Layer.effect(
  ProcessMail,
  Effect.gen(function* () {
    const reader = yield* MailReader
    const feedback = yield* Feedback
    const authenticator = yield* MailAuthenticator
    const received = yield* ReceivedMessages
    const forwarding = yield* Forwarding
    const reporting = yield* MailReporting
    const readable = yield* withoutReturnedLinks

    /** Applies reports about messages and forwardings. */
    const report = (mail: InboundMail, read: ReadMail) =>
      Effect.map(
        Effect.all([feedback.process(mail, read), forwarding.processBounce(mail, read)]),
        ([own, forwarded]) => (forwarded === "tooEarly" ? forwarded : own)
      )

    const process = Effect.fnUntraced(function* ({ mail, leaseExpiries }: TakenMail, isDangerous: boolean) {
      const raw = readable(mail.raw)
      const read = isDangerous
        ? Either.left(new UnreadableMail({ message: `Its lease expired ${leaseExpiries} times while it was parsed` }))
        : yield* Effect.either(reader.read(raw))
      const parseError = Either.isLeft(read) ? read.left.message : null
      const done: ProcessedMail = { _tag: "Done", parseError }
      const authenticate = yield* Effect.cached(
        isDangerous ? Effect.succeed(notAsked) : authenticator.authenticate(mail)
      )
      const outcome = Either.isLeft(read) ? "unclassified" : yield* report(mail, read.right)
      const reported = Either.isLeft(read) ? "unclassified" : yield* reporting.process(mail, read.right, authenticate)
      if (Either.isLeft(read)) {
        yield* Effect.logInfo("A received mail can't be parsed").pipe(
          Effect.annotateLogs({ messageId: mail.id, problem: read.left.message })
        )
      }
      const isEarly = outcome === "tooEarly" || reported === "tooEarly"
      if (isEarly && !(yield* isOverdue(mail))) return yield* later(mail)
      const arrived = mail.recipients.filter(({ kind }) => {
        if (isReportAddress(kind)) return reported !== "done"
        return !isReturnPath(kind) || (outcome === "unclassified" && kind._tag === "Bounce")
      })
      if (arrived.length === 0) return done
      const content = Either.getOrElse(read, ({ message }) => unparsedMail(raw, message))
      const recipients = yield* forwarding.process({ ...mail, recipients: arrived }, content)
      if (recipients.length === 0) return done
      if (recipients.some(({ kind }) => isReturnPath(kind))) yield* Metric.increment(unclassifiedTotal)
      return yield* received.receive({ ...mail, recipients }, content, yield* authenticate).pipe(
        Effect.as(done),
        // The database or the object store is unavailable: the mail stays in the queue.
        Effect.catchTag("ServiceUnavailableError", () => later(mail))
      )
    })

    /** Counts unreadable mail once, when its processing is done. */
    const count = (outcome: ProcessedMail) =>
      outcome._tag === "Done" && outcome.parseError !== null ? Metric.increment(unreadTotal) : Effect.void

    return {
      process: (taken) => Effect.tap(process(taken, false), count),
      receiveUnparsed: (taken) => Effect.tap(process(taken, true), count)
    }
  })
)
