import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DateTime, Effect, Option } from "effect"
import { Complaints } from "../email/feedback/Feedback.js"
import { type FeedbackId, returnPath } from "../messages/delivery/SignedReferences.js"
import { newUuid } from "../NewId.js"
import { Signatures } from "../SecretBox.js"
import type { RawMail } from "./MailboxRepo.js"
import { acceptedMail, SmtpInjector } from "./SmtpInjector.js"

/** The mail that a report is about, and the identity of the report. */
export interface ReportedMail {
  /** The id in the report's Message-ID and MIME boundary. */
  readonly id: string
  readonly date: Date
  /** The return path of the mail, to which the report is sent. */
  readonly to: string
  readonly raw: Uint8Array
}

/** The content of a report. Lines end with LF. */
interface ReportContent {
  readonly from: string
  readonly subject: string
  /** The parameter `report-type` of the mail, and the subtype of the part with `fields`. */
  readonly reportType: string
  readonly text: string
  /** The fields for programs. */
  readonly fields: string
}

const crlf = (text: string) => Buffer.from(text.replace(/\n/g, "\r\n"))

const headerOf = (raw: Uint8Array): Buffer => {
  const mail = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  const end = mail.indexOf("\r\n\r\n")
  return end < 0 ? mail : mail.subarray(0, end + 2)
}

/** A date in the format of RFC 5322 section 3.3. */
export const mailDate = (date: Date): string => date.toUTCString().replace("GMT", "+0000")

/** A report about a mail (RFC 6522): a text, the fields for programs, and the header of the mail. */
export const multipartReport = (
  { date, id, raw, to }: ReportedMail,
  { fields, from, reportType, subject, text }: ReportContent
): Buffer => {
  const boundary = `report-${id}`
  const before = `From: <${from}>
To: <${to}>
Subject: ${subject}
Date: ${mailDate(date)}
Message-ID: <${id}@localhost.test>
Auto-Submitted: auto-generated
MIME-Version: 1.0
Content-Type: multipart/report; report-type=${reportType}; boundary="${boundary}"

--${boundary}
Content-Type: text/plain; charset=us-ascii

${text}

--${boundary}
Content-Type: message/${reportType}

${fields}

--${boundary}
Content-Type: text/rfc822-headers

`
  return Buffer.concat([crlf(before), headerOf(raw), crlf(`\n--${boundary}--\n`)])
}

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
