import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DateTime, Effect, Option } from "effect"
import { Complaints } from "../email/feedback/Complaints.js"
import type { FeedbackId } from "../messages/delivery/FeedbackId.js"
import { returnPath } from "../messages/delivery/SignedAddress.js"
import { newUuid } from "../NewUuid.js"
import { Signatures } from "../Signatures.js"
import { acceptedMail } from "./AcceptedMail.js"
import { feedbackReport } from "./FeedbackReport.js"
import type { RawMail } from "./MailboxRepo.js"
import { SmtpInjector } from "./SmtpInjector.js"

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
