/** The complained-about mail and the addresses of the report. */
export interface ReportedMail {
  /** The id in the report's Message-ID and MIME boundary. */
  readonly id: string
  readonly date: Date
  readonly from: string
  /** The return path of the mail, to which the report is sent. */
  readonly to: string
  /** The recipient who complains. */
  readonly recipient: string
  readonly raw: Buffer
}

const headerOf = (raw: Buffer): Buffer => {
  const end = raw.indexOf("\r\n\r\n")
  return end < 0 ? raw : raw.subarray(0, end + 2)
}

/** An abuse report (ARF, RFC 5965), as mailbox providers send it, with the header of the mail. */
export const feedbackReport = ({ date, from, id, raw, recipient, to }: ReportedMail): Buffer => {
  const boundary = `report-${id}`
  const before = `From: <${from}>
To: <${to}>
Subject: Abuse report
Date: ${date.toUTCString().replace("GMT", "+0000")}
Message-ID: <${id}@localhost.test>
Auto-Submitted: auto-generated
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="${boundary}"

--${boundary}
Content-Type: text/plain; charset=us-ascii

The recipient of a mail from you says that they don't want it.

--${boundary}
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: Switchboard-Local-Mailbox/1
Version: 1
Original-Mail-From: <${to}>
Original-Rcpt-To: <${recipient}>
Arrival-Date: ${date.toUTCString().replace("GMT", "+0000")}

--${boundary}
Content-Type: text/rfc822-headers

`
  const crlf = (text: string) => Buffer.from(text.replace(/\n/g, "\r\n"))
  return Buffer.concat([crlf(before), headerOf(raw), crlf(`\n--${boundary}--\n`)])
}
