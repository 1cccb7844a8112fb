const maxLineLength = 76
const TAB = 9
const LF = 10
const CR = 13
const SPACE = 32
const EQUALS = 61
const F = 70

const hex = Buffer.from("0123456789ABCDEF", "latin1")

/**
 * Encodes a text with CRLF line breaks as quoted-printable (RFC 2045 section 6.7). No line ends with white space or
 * begins with `From `, which mail servers change.
 */
export const quotedPrintable = (octets: Buffer): string => {
  const length = octets.length
  // At most three characters an octet, and a soft line break after at least 73 of them.
  const lines = Buffer.allocUnsafe(length * 3 + Math.ceil((length * 3) / 73) * 3)
  let to = 0
  let column = 0
  for (let at = 0; at < length; at++) {
    const octet = octets[at] ?? 0
    if (octet === CR && octets[at + 1] === LF) {
      lines[to++] = CR
      lines[to++] = LF
      at++
      column = 0
      continue
    }
    const isLast = at + 1 === length || (octets[at + 1] === CR && octets[at + 2] === LF)
    const isBlank = octet === SPACE || octet === TAB
    const isLiteral = isBlank ? !isLast : octet > SPACE && octet < 127 && octet !== EQUALS
    if (column + (isLiteral ? 1 : 3) > (isLast ? maxLineLength : maxLineLength - 1)) {
      lines[to++] = EQUALS
      lines[to++] = CR
      lines[to++] = LF
      column = 0
    }
    if (isLiteral && !(column === 0 && octet === F && octets.toString("latin1", at, at + 5) === "From ")) {
      lines[to++] = octet
      column += 1
    } else {
      lines[to++] = EQUALS
      lines[to++] = hex[octet >> 4] ?? 0
      lines[to++] = hex[octet & 15] ?? 0
      column += 3
    }
  }
  return lines.toString("latin1", 0, to)
}
