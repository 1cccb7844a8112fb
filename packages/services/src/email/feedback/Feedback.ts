import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { applyReport, findRecipient } from "@switchboard/domain/email/feedback/ApplyReport"
import { type FeedbackReport, readArf, readPlainComplaint } from "@switchboard/domain/email/feedback/Arf"
import { readDsn } from "@switchboard/domain/email/feedback/DeliveryReport"
import { type ReportMail, readReport } from "@switchboard/domain/email/feedback/ReadReport"
import { fieldOf } from "@switchboard/domain/email/feedback/ReportFields"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import { complained } from "@switchboard/domain/messages/state/MessageLifecycle"
import { DateTime, Effect, Option } from "effect"
import { type FeedbackId, parseFeedbackId } from "../../messages/delivery/SignedReferences.js"
import { MessageRepo } from "../../messages/MessageRepo.js"
import { Signatures } from "../../SecretBox.js"
import { Blocks } from "../blocks/Blocks.js"
import type { InboundMail } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"

/** The outcome of a complaint. */
export type ComplaintOutcome = "recorded" | "tooEarly" | "unknown"

/** Stores complaints about messages (RFC 5965). */
export class Complaints extends Effect.Service<Complaints>()("services/Complaints", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo

    /**
     * Stores a recipient's complaint and blocks the recipient. A complaint about a message that is not settled yet is
     * `tooEarly`. A repeat, or an address that is no recipient, changes nothing.
     */
    const report = (
      { messageId, organizationId }: FeedbackId,
      recipients: ReadonlyArray<string>,
      feedbackType: string
    ): Effect.Effect<ComplaintOutcome, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        let outcome: ComplaintOutcome = "unknown"
        yield* repo.change(organizationId, messageId, (state) =>
          Effect.sync(() => {
            const delivery = findRecipient(state, recipients)
            if (Option.isNone(delivery)) return state
            outcome = isOpen(delivery.value) ? "tooEarly" : "recorded"
            return isOpen(delivery.value) ? state : complained(state, delivery.value.recipient, now, feedbackType)
          })
        )
        return outcome
      })
    return { report } as const
  })
}) {}

/**
 * `tooEarly` if the mail reports on a message that is not settled yet: the mail is processed again later. `unclassified`
 * if it came to a return path and is no report.
 */
export type FeedbackOutcome = "done" | "tooEarly" | "unclassified"

const together = (outcomes: ReadonlyArray<string>): FeedbackOutcome =>
  outcomes.includes("tooEarly")
    ? "tooEarly"
    : outcomes.length > 0 && outcomes.every((outcome) => outcome === "unclassified")
      ? "unclassified"
      : "done"

/** The messages with a signed return path among the mail's recipients, each once. */
const returnedTo = ({ organizationId, recipients }: InboundMail): ReadonlyArray<FeedbackId> => {
  const ids = new Set(recipients.flatMap(({ kind }) => (kind._tag === "Bounce" ? kind.messageId : [])))
  return [...ids].map((messageId) => ({ organizationId, messageId }))
}

/** A received mail as a possible report. */
export const reportMail = (
  { mailFrom }: InboundMail,
  { from, headers, parts, subject, text }: ReadMail
): ReportMail => ({
  mailFrom,
  from: from.address,
  headers,
  subject,
  text,
  parts
})

/** A complaint without a feedback report part. A DSN also encloses the original mail, and is no complaint. */
const plainComplaint = ({ mailFrom, recipients }: InboundMail, read: ReadMail): Option.Option<FeedbackReport> =>
  readDsn(read.parts).length > 0
    ? Option.none()
    : readPlainComplaint({
        addresses: [mailFrom, read.from.address, ...recipients.map(({ address }) => address)],
        headers: read.headers,
        subject: read.subject,
        parts: read.parts
      })

/** Applies bounces, delivery reports, complaints and opt-outs to the messages that they are about. */
export class Feedback extends Effect.Service<Feedback>()("services/Feedback", {
  effect: Effect.gen(function* () {
    const repo = yield* MessageRepo
    const blocks = yield* Blocks
    const complaints = yield* Complaints
    const signatures = yield* Signatures

    /** Blocks the recipient as an unsubscribe link does. A repeat changes nothing. */
    const optOut = Effect.fnUntraced(function* (
      { messageId, organizationId }: FeedbackId,
      recipients: ReadonlyArray<string>
    ) {
      const message = yield* repo.find(organizationId, messageId)
      if (Option.isNone(message)) return "done" as const
      const { categories, emailMetadata } = message.value
      const found = findRecipient({ deliveries: emailMetadata?.deliveries ?? [] }, recipients)
      if (Option.isSome(found)) {
        yield* blocks.unsubscribe(organizationId, found.value.recipient, categories, messageId)
      }
      return "done" as const
    })

    /**
     * The message of an enclosed mail, if its `Feedback-ID` has a valid signature. A server on the way may have folded
     * the header.
     */
    const enclosedIn = ({ original }: FeedbackReport): ReadonlyArray<FeedbackId> =>
      Option.toArray(parseFeedbackId(signatures, fieldOf(original, "feedback-id").replace(/\s+/g, "")))

    const apply = (
      { feedbackType, kind, recipients }: FeedbackReport,
      subjects: ReadonlyArray<FeedbackId>
    ): Effect.Effect<FeedbackOutcome, ServiceUnavailableError> => {
      if (kind === "other") return Effect.succeed("done")
      const each = (subject: FeedbackId): Effect.Effect<string, ServiceUnavailableError> =>
        kind === "optOut" ? optOut(subject, recipients) : complaints.report(subject, recipients, feedbackType)
      return Effect.map(Effect.forEach(subjects, each), together)
    }

    const deliver = (subject: FeedbackId, mail: ReportMail): Effect.Effect<string, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        let outcome: FeedbackOutcome = "done"
        yield* repo.change(subject.organizationId, subject.messageId, (state) =>
          Effect.sync(() => {
            const recipients = state.deliveries.map(({ recipient }) => recipient)
            const report = readReport(mail, recipients)
            const after = applyReport(state, report, now)
            outcome = Option.isNone(after) ? "tooEarly" : report.length === 0 ? "unclassified" : "done"
            return Option.getOrElse(after, () => state)
          })
        )
        return outcome
      })

    /**
     * Applies what a mail reports about messages. A report counts if it arrives at a signed return path of a message. A
     * feedback report, and a plain complaint, also count if the enclosed mail has a signed `Feedback-ID`. Other mail
     * and repeats change no message.
     */
    const process = Effect.fnUntraced(function* (mail: InboundMail, read: ReadMail) {
      const returned = returnedTo(mail)
      const arf = readArf(read.parts)
      if (Option.isSome(arf)) return yield* apply(arf.value, returned.length === 0 ? enclosedIn(arf.value) : returned)
      const complaint = plainComplaint(mail, read)
      const subjects = Option.match(complaint, { onNone: () => [], onSome: enclosedIn })
      if (Option.isSome(complaint) && subjects.length > 0) return yield* apply(complaint.value, subjects)
      const report = reportMail(mail, read)
      return together(yield* Effect.forEach(returned, (subject) => deliver(subject, report)))
    })

    return { process } as const
  })
}) {}
