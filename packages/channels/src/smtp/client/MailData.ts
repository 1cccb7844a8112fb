import { type Slices, sliceBytes } from "@switchboard/services/Slices"

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

/** Prepares a mail for DATA. Returns the same octets, uncopied, if they need no change. */
export function* mailData(mail: Uint8Array): Slices<MailData> {
  let dots = 0
  let bareLineEnds = 0
  let highest = 0
  let previous = LF
  for (let at = 0; at < mail.length; at++) {
    if (at % sliceBytes === sliceBytes - 1) yield
    const octet = mail[at] ?? 0
    if (octet === LF ? previous !== CR : previous === CR) bareLineEnds++
    if (octet === DOT && (previous === LF || previous === CR)) dots++
    if (octet > highest) highest = octet
    previous = octet
  }
  if (previous === CR) bareLineEnds++
  const isComplete = previous === LF || previous === CR
  return {
    octets: dots + bareLineEnds === 0 ? mail : dotStuffed(mail, dots + bareLineEnds),
    size: mail.length + bareLineEnds + (isComplete ? 0 : 2),
    hasEighthBit: highest > 127
  }
}
