/** What a report is about, and who gets it. */
export interface ReportedMail {
  /** Names this report, and parts its parts. */
  readonly id: string
  readonly date: Date
  readonly from: string
  /** The return path of the mail. */
  readonly to: string
  /** Who does not want it. */
  readonly recipient: string
  readonly raw: Buffer
}

const headerOf = (raw: Buffer): Buffer => {
  const end = raw.indexOf("\r\n\r\n")
  return end < 0 ? raw : raw.subarray(0, end + 2)
}

/** A report of an unwanted mail (RFC 5965), as mailbox providers send it; of the mail it encloses the header. */
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
