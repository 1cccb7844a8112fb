import { DateTime, Duration, Effect, Either, Layer, Metric } from "effect"
import { Feedback } from "../feedback/Feedback.js"
import { Forwarding } from "../forwarding/Forwarding.js"
import { type InboundMail, isReturnPath } from "./InboundMail.js"
import type { TakenMail } from "./InboundQueue.js"
import { MailAuthenticator } from "./MailAuthenticator.js"
import { type ProcessedMail, ProcessMail } from "./ProcessMail.js"
import { MailReader, type ReadMail, UnreadableMail } from "./ReadMail.js"
import { ReceivedMessages } from "./ReceivedMessages.js"
import { unreadMail } from "./UnreadMail.js"

const soonest = Duration.seconds(5)
const latest = Duration.minutes(15)

/** A message is settled within 72 hours: news that waits for longer is news of nothing. */
const longestWait = Duration.hours(96)

const unreadTotal = Metric.counter("switchboard_inbound_unread_total", {
  description: "Mails that came in and could not be read",
  incremental: true
})

/** Nothing was asked of a mail that is not read. */
const notAsked = { spf: "temperror", dkim: "temperror", dmarc: "temperror" }

/** The older a mail is, the later it is looked at again. */
const again = ({ receivedAt }: InboundMail, now: DateTime.Utc): DateTime.Utc =>
  DateTime.addDuration(
    now,
    Duration.clamp(DateTime.distanceDuration(receivedAt, now), { minimum: soonest, maximum: latest })
  )

const later = (mail: InboundMail): Effect.Effect<ProcessedMail> =>
  Effect.map(DateTime.now, (now) => ({ _tag: "Later", at: again(mail, now) }))

const isOverdue = ({ receivedAt }: InboundMail): Effect.Effect<boolean> =>
  Effect.map(DateTime.now, (now) => Duration.greaterThan(DateTime.distanceDuration(receivedAt, now), longestWait))

/**
 * The way of a mail that came in: it is read, what it says of our own mail is stored, it goes on where rules say so, and
 * whoever it is for gets it. What
 * comes to a return path is for nobody: a report, or what people and programs answer where they should not.
 */
export const ProcessInbound = Layer.effect(
  ProcessMail,
  Effect.gen(function* () {
    const reader = yield* MailReader
    const feedback = yield* Feedback
    const authenticator = yield* MailAuthenticator
    const received = yield* ReceivedMessages
    const forwarding = yield* Forwarding

    /** News of our own mail, and of what we sent on. */
    const isTooEarly = (mail: InboundMail, read: ReadMail) =>
      Effect.map(Effect.all([feedback.consider(mail, read), forwarding.returned(mail, read)]), (outcomes) =>
        outcomes.includes("tooEarly")
      )

    const process = Effect.fnUntraced(function* ({ mail, takeovers }: TakenMail, isDangerous: boolean) {
      const read = isDangerous
        ? Either.left(new UnreadableMail({ message: `Its lease ended ${takeovers} times while it was read` }))
        : yield* Effect.either(reader.read(mail.raw))
      const parseError = Either.isLeft(read) ? read.left.message : null
      const done: ProcessedMail = { _tag: "Done", parseError }
      if (Either.isLeft(read)) {
        yield* Effect.logInfo("A mail that came in can't be read").pipe(
          Effect.annotateLogs({ messageId: mail.id, problem: read.left.message })
        )
      } else if ((yield* isTooEarly(mail, read.right)) && !(yield* isOverdue(mail))) {
        return yield* later(mail)
      }
      const arrived = mail.recipients.filter(({ kind }) => !isReturnPath(kind))
      if (arrived.length === 0) return done
      const content = Either.getOrElse(read, ({ message }) => unreadMail(mail.raw, message))
      const recipients = yield* forwarding.consider({ ...mail, recipients: arrived }, content)
      if (recipients.length === 0) return done
      const authentication = isDangerous ? notAsked : yield* authenticator.authenticate(mail)
      return yield* received.receive({ ...mail, recipients }, content, authentication).pipe(
        Effect.as(done),
        // The store of messages, or that of files: the mail waits, and none of it is lost.
        Effect.catchTag("ServiceUnavailableError", () => later(mail))
      )
    })

    /** A mail that waits is read again: it counts when it is done. */
    const count = (outcome: ProcessedMail) =>
      outcome._tag === "Done" && outcome.parseError !== null ? Metric.increment(unreadTotal) : Effect.void

    return {
      process: (taken) => Effect.tap(process(taken, false), count),
      keepUnread: (taken) => Effect.tap(process(taken, true), count)
    }
  })
)
