import { type Slices, sliceBytes } from "@switchboard/services/Slices"
import type { SmtpExtensions } from "./SmtpReply.js"

const CR = 13
const LF = 10
const DOT = 46

/** A mail in the form that is written after DATA. */
export interface MailData {
  readonly octets: Uint8Array
  /** The size that SIZE declares (RFC 1870 section 6.1). */
  readonly size: number
  /** Whether any octet needs 8BITMIME (RFC 6152). */
  readonly hasEighthBit: boolean
}

/** Doubles leading dots (RFC 5321 section 4.5.2) and converts a bare CR or LF to CRLF (section 2.3.8). */
const dotStuffed = (mail: Uint8Array, added: number): Buffer => {
  const octets = Buffer.allocUnsafe(mail.length + added)
  let length = 0
  let previous = LF
  for (let at = 0; at < mail.length; at++) {
    const octet = mail[at] ?? 0
    if (octet === DOT && previous === LF) octets[length++] = DOT
    if (octet === LF && previous !== CR) octets[length++] = CR
    octets[length++] = octet
    previous = octet
    if (octet === CR && mail[at + 1] !== LF) {
      octets[length++] = LF
      previous = LF
    }
  }
  return octets.subarray(0, length)
}

/** The end of the data: a CRLF if the last line has none, the final dot, and the commands that follow it. */
export const dataEnd = ({ octets }: MailData, commands: string): string =>
  `${octets.length === 0 || octets[octets.length - 1] === LF ? "" : "\r\n"}.\r\n${commands}`

/** What was found in the octets so far. */
interface Scan {
  dots: number
  bareLineEnds: number
  highest: number
  previous: number
}

/** Scans a slice, and adds what it finds to `scan`. */
const scanSlice = (mail: Uint8Array, begin: number, end: number, scan: Scan): void => {
  let { bareLineEnds, dots, highest, previous } = scan
  for (let at = begin; at < end; at++) {
    const octet = mail[at] ?? 0
    if (octet === LF ? previous !== CR : previous === CR) bareLineEnds++
    if (octet === DOT && (previous === LF || previous === CR)) dots++
    if (octet > highest) highest = octet
    previous = octet
  }
  Object.assign(scan, { bareLineEnds, dots, highest, previous })
}

/** Prepares a mail for DATA. Returns the same octets, uncopied, if they need no change. */
export function* mailData(mail: Uint8Array): Slices<MailData> {
  const scan: Scan = { dots: 0, bareLineEnds: 0, highest: 0, previous: LF }
  for (let at = 0; at < mail.length; at += sliceBytes) {
    if (at > 0) yield
    scanSlice(mail, at, Math.min(mail.length, at + sliceBytes), scan)
  }
  const { dots, highest, previous } = scan
  const bareLineEnds = scan.bareLineEnds + (previous === CR ? 1 : 0)
  const isComplete = previous === LF || previous === CR
  return {
    octets: dots + bareLineEnds === 0 ? mail : dotStuffed(mail, dots + bareLineEnds),
    size: mail.length + bareLineEnds + (isComplete ? 0 : 2),
    hasEighthBit: highest > 127
  }
}

/** The envelope of a transaction, and its delivery status notification options (RFC 3461). */
export interface SmtpEnvelope {
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  /** Whether the header needs SMTPUTF8 (RFC 6531); non-ASCII addresses do in any case. */
  readonly needsSmtpUtf8?: boolean
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

const isInternational = ({ mailFrom, needsSmtpUtf8, rcptTo }: SmtpEnvelope): boolean =>
  needsSmtpUtf8 === true || ![mailFrom, ...rcptTo].every(isAscii)

/** The reason that the envelope can't be sent to a server with these extensions; null if it can. */
export const envelopeProblem = (envelope: SmtpEnvelope, extensions: SmtpExtensions): string | null => {
  const { mailFrom, rcptTo } = envelope
  if (rcptTo.length === 0) return "The mail has no recipients"
  const wrong = [mailFrom, ...rcptTo].find((path) => unsafe.test(path))
  if (wrong !== undefined) return "An envelope address contains white space, a control character or an angle bracket"
  return extensions.has("SMTPUTF8") || !isInternational(envelope)
    ? null
    : "5.6.7 The relay does not accept non-ASCII addresses and header fields (SMTPUTF8)"
}

export const mailCommand = (
  envelope: SmtpEnvelope,
  { hasEighthBit, size }: MailData,
  extensions: SmtpExtensions
): string => {
  const { dsn, mailFrom } = envelope
  let command = `MAIL FROM:<${mailFrom}>`
  if (extensions.has("SIZE")) command += ` SIZE=${size}`
  if (hasEighthBit && extensions.has("8BITMIME")) command += " BODY=8BITMIME"
  if (extensions.has("SMTPUTF8") && isInternational(envelope)) command += " SMTPUTF8"
  if (dsn !== undefined && extensions.has("DSN")) command += ` RET=HDRS ENVID=${xtext(dsn.envelopeId)}`
  return `${command}\r\n`
}

export const rcptCommand = ({ dsn }: SmtpEnvelope, recipient: string, extensions: SmtpExtensions): string =>
  dsn?.notify === true && extensions.has("DSN")
    ? `RCPT TO:<${recipient}> NOTIFY=SUCCESS,FAILURE,DELAY ORCPT=${isAscii(recipient) ? "rfc822" : "utf-8"};${xtext(recipient)}\r\n`
    : `RCPT TO:<${recipient}>\r\n`
