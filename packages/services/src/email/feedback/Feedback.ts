import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type FeedbackReport, readArf } from "@switchboard/domain/email/feedback/Arf"
import type { DeliveryReport } from "@switchboard/domain/email/feedback/DeliveryReport"
import { readDsn } from "@switchboard/domain/email/feedback/Dsn"
import { readPlainBounce } from "@switchboard/domain/email/feedback/PlainBounce"
import { fieldOf } from "@switchboard/domain/email/feedback/ReportFields"
import { withReport } from "@switchboard/domain/email/feedback/WithReport"
import { DateTime, Effect, Option } from "effect"
import { type FeedbackId, parseFeedbackId } from "../../messages/FeedbackId.js"
import { MessageRepo } from "../../messages/MessageRepo.js"
import { Signatures } from "../../Signatures.js"
import type { InboundMail } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"
import { Complaints } from "./Complaints.js"

/** Whether all that a mail says of our messages is stored, or is news of what is not known to be sent yet. */
export type FeedbackOutcome = "done" | "tooEarly"

const anyTooEarly = (outcomes: ReadonlyArray<string>): FeedbackOutcome =>
  outcomes.includes("tooEarly") ? "tooEarly" : "done"

/** The messages whose return paths a mail came to: each once, and each signed by us. */
const returnedTo = ({ organizationId, recipients }: InboundMail): ReadonlyArray<FeedbackId> => {
  const ids = new Set(recipients.flatMap(({ kind }) => (kind._tag === "Bounce" ? kind.messageId : [])))
  return [...ids].map((messageId) => ({ organizationId, messageId }))
}

/** What a mail says of what became of another, as a report or in plain words. */
export const deliveryReport = ({ mailFrom }: InboundMail, read: ReadMail): Option.Option<DeliveryReport> =>
  Option.orElse(readDsn(read.parts), () =>
    readPlainBounce({
      mailFrom,
      from: read.from.address,
      headers: read.headers,
      subject: read.subject,
      text: read.text
    })
  )

/** What other servers and people say of our mail: bounces, confirmations, complaints. */
export class Feedback extends Effect.Service<Feedback>()("services/Feedback", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo
    const complaints = yield* Complaints
    const signatures = yield* Signatures

    const complain = (subjects: ReadonlyArray<FeedbackId>, { feedbackType, recipients }: FeedbackReport) =>
      Effect.forEach(subjects, (subject) => complaints.report(subject, recipients, feedbackType))

    const deliver = (subject: FeedbackId, report: DeliveryReport): Effect.Effect<string, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        let outcome: FeedbackOutcome = "done"
        yield* repo.change(subject.organizationId, subject.messageId, (state) =>
          Effect.sync(() => {
            const after = withReport(state, report, now)
            outcome = Option.isNone(after) ? "tooEarly" : "done"
            return Option.getOrElse(after, () => state)
          })
        )
        return outcome
      })

    /**
     * Stores what a mail says of messages of ours. It counts where nobody else could have sent it to: at the return path
     * that we signed for a message; a feedback report also if what it encloses carries the `Feedback-ID` that we signed.
     * Any other changes nothing, and none does so twice.
     */
    const consider = Effect.fnUntraced(function* (mail: InboundMail, read: ReadMail) {
      const returned = returnedTo(mail)
      const arf = readArf(read.parts)
      if (Option.isSome(arf)) {
        if (!arf.value.isComplaint) return "done"
        const enclosed = parseFeedbackId(signatures, fieldOf(arf.value.original, "feedback-id"))
        const subjects = returned.length === 0 ? Option.toArray(enclosed) : returned
        return anyTooEarly(yield* complain(subjects, arf.value))
      }
      if (returned.length === 0) return "done"
      return yield* Option.match(deliveryReport(mail, read), {
        onNone: () => Effect.succeed<FeedbackOutcome>("done"),
        onSome: (report) =>
          Effect.map(
            Effect.forEach(returned, (subject) => deliver(subject, report)),
            anyTooEarly
          )
      })
    })

    return { consider } as const
  })
}) {}
