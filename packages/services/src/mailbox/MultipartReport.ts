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
