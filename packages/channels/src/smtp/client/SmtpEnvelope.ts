import type { MailData } from "./MailData.js"
import type { SmtpExtensions } from "./SmtpExtensions.js"

/** Between whom a mail goes, and which reports are wanted (RFC 3461). */
export interface SmtpEnvelope {
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly dsn?: {
    readonly envelopeId: string
    /** Whether each recipient's success, failure and delay are reported. */
    readonly notify: boolean
  }
}

/** Anything that could end a path or a line. */
const unsafe = /[\s<>\p{Cc}]/u

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** RFC 3461 section 4: printable ASCII but "+" and "=" stands for itself. */
const xtext = (text: string): string =>
  [...Buffer.from(text)]
    .map((octet) =>
      octet > 32 && octet < 127 && octet !== 0x2b && octet !== 0x3d
        ? String.fromCharCode(octet)
        : `+${octet.toString(16).toUpperCase().padStart(2, "0")}`
    )
    .join("")

/** Why this envelope can't be offered to a server with these extensions, null if it can. */
export const envelopeProblem = ({ mailFrom, rcptTo }: SmtpEnvelope, extensions: SmtpExtensions): string | null => {
  if (rcptTo.length === 0) return "The mail has no recipients"
  const paths = [mailFrom, ...rcptTo]
  const wrong = paths.find((path) => unsafe.test(path))
  if (wrong !== undefined) return "An address of the envelope holds characters that no address may"
  return extensions.has("SMTPUTF8") || paths.every(isAscii)
    ? null
    : "5.6.7 The relay takes no addresses beyond ASCII (SMTPUTF8)"
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
