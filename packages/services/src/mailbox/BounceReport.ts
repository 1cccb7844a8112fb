import { mailDate, multipartReport, type ReportedMail } from "./MultipartReport.js"

/** The mail that comes back, and the recipients that it did not reach. */
interface UndeliveredMail extends ReportedMail {
  readonly from: string
  readonly recipients: ReadonlyArray<string>
}

const failureOf = (recipient: string): string => `Original-Recipient: rfc822; ${recipient}
Final-Recipient: rfc822; ${recipient}
Action: failed
Status: 5.1.1
Diagnostic-Code: smtp; 550 5.1.1 No such mailbox here`

/** A delivery status notification (RFC 3464) that no recipient exists, with the header of the mail. */
export const bounceReport = ({ from, recipients, ...mail }: UndeliveredMail): Buffer =>
  multipartReport(mail, {
    from,
    subject: "Undelivered mail returned to sender",
    reportType: "delivery-status",
    text: "Your mail could not be delivered: no such mailbox here.",
    fields: [
      `Reporting-MTA: dns; mailbox.localhost.test\nArrival-Date: ${mailDate(mail.date)}`,
      ...recipients.map(failureOf)
    ].join("\n\n")
  })
