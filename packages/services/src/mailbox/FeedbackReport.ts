import { mailDate, multipartReport, type ReportedMail } from "./MultipartReport.js"

/** The complained-about mail, and its recipient who complains. */
interface UnwantedMail extends ReportedMail {
  readonly from: string
  readonly recipient: string
}

/** An abuse report (ARF, RFC 5965), as mailbox providers send it, with the header of the mail. */
export const feedbackReport = ({ from, recipient, ...mail }: UnwantedMail): Buffer =>
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
