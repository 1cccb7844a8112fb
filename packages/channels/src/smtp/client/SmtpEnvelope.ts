import type { MailData } from "./MailData.js"
import type { SmtpExtensions } from "./SmtpExtensions.js"

/** The envelope of a transaction, and its delivery status notification options (RFC 3461). */
export interface SmtpEnvelope {
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly dsn?: {
    readonly envelopeId: string
    /** Whether to request NOTIFY=SUCCESS,FAILURE,DELAY for each recipient. */
    readonly notify: boolean
  }
}

/** Characters that could end a path or a line. */
const unsafe = /[\s<>\p{Cc}]/u

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** Encodes xtext: all but printable ASCII, and "+" and "=" (RFC 3461 section 4). */
const xtext = (text: string): string =>
  [...Buffer.from(text)]
    .map((octet) =>
      octet > 32 && octet < 127 && octet !== 0x2b && octet !== 0x3d
        ? String.fromCharCode(octet)
        : `+${octet.toString(16).toUpperCase().padStart(2, "0")}`
    )
    .join("")

/** The reason that the envelope can't be sent to a server with these extensions; null if it can. */
export const envelopeProblem = ({ mailFrom, rcptTo }: SmtpEnvelope, extensions: SmtpExtensions): string | null => {
  if (rcptTo.length === 0) return "The mail has no recipients"
  const paths = [mailFrom, ...rcptTo]
  const wrong = paths.find((path) => unsafe.test(path))
  if (wrong !== undefined) return "An envelope address contains white space, a control character or an angle bracket"
  return extensions.has("SMTPUTF8") || paths.every(isAscii)
    ? null
    : "5.6.7 The relay does not accept non-ASCII addresses (SMTPUTF8)"
}

export const mailCommand = (
  { dsn, mailFrom, rcptTo }: SmtpEnvelope,
  { hasEighthBit, size }: MailData,
  extensions: SmtpExtensions
): string => {
  let command = `MAIL FROM:<${mailFrom}>`
  if (extensions.has("SIZE")) command += ` SIZE=${size}`
  if (hasEighthBit && extensions.has("8BITMIME")) command += " BODY=8BITMIME"
  if (extensions.has("SMTPUTF8") && ![mailFrom, ...rcptTo].every(isAscii)) command += " SMTPUTF8"
  if (dsn !== undefined && extensions.has("DSN")) command += ` RET=HDRS ENVID=${xtext(dsn.envelopeId)}`
  return `${command}\r\n`
}

export const rcptCommand = ({ dsn }: SmtpEnvelope, recipient: string, extensions: SmtpExtensions): string =>
  dsn?.notify === true && extensions.has("DSN")
    ? `RCPT TO:<${recipient}> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=${isAscii(recipient) ? "rfc822" : "utf-8"};${xtext(recipient)}\r\n`
    : `RCPT TO:<${recipient}>\r\n`
