import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { applyReport } from "@switchboard/domain/email/feedback/ApplyReport"
import { type FeedbackReport, readArf } from "@switchboard/domain/email/feedback/Arf"
import type { DeliveryReport } from "@switchboard/domain/email/feedback/DeliveryReport"
import { readDsn } from "@switchboard/domain/email/feedback/Dsn"
import { findRecipient } from "@switchboard/domain/email/feedback/FindRecipient"
import { readPlainBounce } from "@switchboard/domain/email/feedback/PlainBounce"
import { readPlainComplaint } from "@switchboard/domain/email/feedback/PlainComplaint"
import { fieldOf } from "@switchboard/domain/email/feedback/ReportFields"
import { DateTime, Effect, Option } from "effect"
import { type FeedbackId, parseFeedbackId } from "../../messages/delivery/FeedbackId.js"
import { MessageRepo } from "../../messages/MessageRepo.js"
import { Signatures } from "../../Signatures.js"
import { Blocks } from "../blocks/Blocks.js"
import type { InboundMail } from "../receiving/InboundMail.js"
import type { ReadMail } from "../receiving/ReadMail.js"
import { Complaints } from "./Complaints.js"

/** `tooEarly` if the mail reports on a message that is not settled yet: the mail is processed again later. */
export type FeedbackOutcome = "done" | "tooEarly"

const anyTooEarly = (outcomes: ReadonlyArray<string>): FeedbackOutcome =>
  outcomes.includes("tooEarly") ? "tooEarly" : "done"

/** The messages with a signed return path among the mail's recipients, each once. */
const returnedTo = ({ organizationId, recipients }: InboundMail): ReadonlyArray<FeedbackId> => {
  const ids = new Set(recipients.flatMap(({ kind }) => (kind._tag === "Bounce" ? kind.messageId : [])))
  return [...ids].map((messageId) => ({ organizationId, messageId }))
}

/** The delivery report in a mail: a DSN (RFC 3464) or a bounce in plain text. */
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

/** A complaint without a feedback report part. A DSN also encloses the original mail, and is no complaint. */
const plainComplaint = ({ mailFrom, recipients }: InboundMail, read: ReadMail): Option.Option<FeedbackReport> =>
  Option.isSome(readDsn(read.parts))
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
      return Effect.map(Effect.forEach(subjects, each), anyTooEarly)
    }

    const deliver = (subject: FeedbackId, report: DeliveryReport): Effect.Effect<string, ServiceUnavailableError> =>
      Effect.gen(function* () {
        const now = yield* DateTime.now
        let outcome: FeedbackOutcome = "done"
        yield* repo.change(subject.organizationId, subject.messageId, (state) =>
          Effect.sync(() => {
            const after = applyReport(state, report, now)
            outcome = Option.isNone(after) ? "tooEarly" : "done"
            return Option.getOrElse(after, () => state)
          })
        )
        return outcome
      })

    /**
     * Applies what a mail reports about messages. A report counts if it arrives at a signed return path of a message. A
     * feedback report, and a plain complaint, also count if the enclosed mail has a signed `Feedback-ID`. Other mail
     * and repeats change nothing.
     */
    const process = Effect.fnUntraced(function* (mail: InboundMail, read: ReadMail) {
      const returned = returnedTo(mail)
      const arf = readArf(read.parts)
      if (Option.isSome(arf)) return yield* apply(arf.value, returned.length === 0 ? enclosedIn(arf.value) : returned)
      const complaint = plainComplaint(mail, read)
      const subjects = Option.match(complaint, { onNone: () => [], onSome: enclosedIn })
      if (Option.isSome(complaint) && subjects.length > 0) return yield* apply(complaint.value, subjects)
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

    return { process } as const
  })
}) {}
