import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DateTime, Effect, Option } from "effect"
import { Complaints } from "../email/feedback/Complaints.js"
import { type FeedbackId, returnPath } from "../messages/delivery/SignedReferences.js"
import { newUuid } from "../NewUuid.js"
import { Signatures } from "../Signatures.js"
import { acceptedMail } from "./AcceptedMail.js"
import type { RawMail } from "./MailboxRepo.js"
import { mailDate, multipartReport, type ReportedMail } from "./MultipartReport.js"
import { SmtpInjector } from "./SmtpInjector.js"

/** The complained-about mail, and its recipient who complains. */
interface UnwantedMail extends ReportedMail {
  readonly from: string
  readonly recipient: string
}

/** An abuse report (ARF, RFC 5965), as mailbox providers send it, with the header of the mail. */
const feedbackReport = ({ from, recipient, ...mail }: UnwantedMail): Buffer =>
  multipartReport(mail, {
    from,
    subject: "Abuse report",
    reportType: "feedback-report",
    text: "The recipient of a mail from you says that they don't want it.",
    fields: `Feedback-Type: abuse
User-Agent: Switchboard-Local-Mailbox/1
Version: 1
Original-Mail-From: <${mail.to}>
Original-Rcpt-To: <${recipient}>
Arrival-Date: ${mailDate(mail.date)}`
  })

const unsettled = new ServiceUnavailableError({
  message: "The message is not recorded as sent yet",
  retryAfterSeconds: 1
})

/** Complaints of recipients about mails of the local mailbox. */
export class MailboxComplaints extends Effect.Service<MailboxComplaints>()("services/MailboxComplaints", {
  effect: Effect.gen(function* () {
    const complaints = yield* Complaints
    const injector = yield* SmtpInjector
    const signatures = yield* Signatures

    /**
     * Reports a mail as spam: by an ARF report to its return path, or directly to `Complaints` if the return path is
     * not of this service.
     */
    const report = Effect.fnUntraced(function* (
      { mailFrom, raw }: Pick<RawMail, "mailFrom" | "raw">,
      feedback: FeedbackId,
      recipient: string
    ) {
      if (Option.isNone(returnPath.parse(signatures, mailFrom))) {
        const outcome = yield* complaints.report(feedback, [recipient], "abuse")
        return outcome === "tooEarly" ? yield* unsettled : undefined
      }
      const from = `feedback@${recipient.slice(recipient.lastIndexOf("@") + 1)}`
      const now = yield* DateTime.now
      const id = newUuid(DateTime.toEpochMillis(now))
      const mail = feedbackReport({ id, date: DateTime.toDateUtc(now), from, to: mailFrom, recipient, raw })
      yield* acceptedMail("feedback report", injector.injectComposed({ mailFrom: from, rcptTo: [mailFrom], raw: mail }))
    })

    return { report } as const
  })
}) {}
