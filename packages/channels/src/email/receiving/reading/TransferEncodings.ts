const lf = 0x0a
const cr = 0x0d
const equals = 0x3d

/** The value of each digit of an alphabet, by octet; -1 for other octets. */
const digitValues = (alphabet: string): Int8Array => {
  const values = new Int8Array(256).fill(-1)
  for (const [value, digit] of Buffer.from(alphabet, "latin1").entries()) values[digit] = value
  return values
}

const hexValues = digitValues("0123456789ABCDEF")
for (const [at, digit] of Buffer.from("abcdef").entries()) hexValues[digit] = 10 + at
const base64Values = digitValues("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")

const isBlank = (octet: number | undefined): boolean => octet === 0x20 || octet === 0x09

/** The position after a line break at `at`; -1 if there is none. */
const afterLineBreak = (octets: Buffer, at: number): number => {
  if (octets[at] === lf) return at + 1
  return octets[at] === cr && octets[at + 1] === lf ? at + 2 : -1
}

const isLineEnd = (octets: Buffer, at: number): boolean => at >= octets.length || afterLineBreak(octets, at) >= 0

/** The position after white space. */
const afterBlanks = (octets: Buffer, from: number): number => {
  let at = from
  while (isBlank(octets[at])) at++
  return at
}

/**
 * Decodes quoted-printable (RFC 2045 section 6.7). White space at the end of a line is removed; an equal sign without
 * two hexadecimal digits stays.
 */
const decodeQuotedPrintable = (octets: Buffer): Buffer => {
  const decoded = Buffer.allocUnsafeSlow(octets.length)
  let length = 0
  let at = 0
  while (at < octets.length) {
    const octet = octets[at] ?? 0
    if (isBlank(octet)) {
      const end = afterBlanks(octets, at)
      if (!isLineEnd(octets, end)) length += octets.copy(decoded, length, at, end)
      at = end
    } else if (octet !== equals) {
      decoded[length++] = octet
      at++
    } else {
      const end = afterBlanks(octets, at + 1)
      const high = hexValues[octets[at + 1] ?? 0] ?? -1
      const low = hexValues[octets[at + 2] ?? 0] ?? -1
      if (isLineEnd(octets, end)) at = end >= octets.length ? end : afterLineBreak(octets, end)
      else if (high >= 0 && low >= 0) {
        decoded[length++] = high * 16 + low
        at += 3
      } else {
        decoded[length++] = equals
        at++
      }
    }
  }
  return decoded.subarray(0, length)
}

/** Whether a line begins with four words of letters. Groups of base64 digits have other lengths. */
const isProse = (line: string): boolean => {
  const words = line.trim().split(/\s+/, 4)
  return (
    words.length === 4 &&
    words.every((word) => /^[a-z]+[,.;:!?]?$/i.test(word)) &&
    words.some(({ length }) => length % 4 > 0)
  )
}

/** The line at `from`, up to 1,000 octets. */
const lineAt = (octets: Buffer, from: number): string => {
  const end = octets.indexOf(lf, from)
  return octets.toString("latin1", from, Math.min(end < 0 ? octets.length : end, from + 1_000))
}

/** Whether a line after base64 is text, such as the footer of a mailing list. */
const isFooter = (line: string): boolean => /^[^A-Za-z0-9+/=]{2,}$/.test(line.trimEnd()) || isProse(line)

/** Whether more base64 follows a padded end: another encoded piece, without other characters. */
const continuesAfterPadding = (octets: Buffer, from: number): boolean => {
  const begin = octets.toString("latin1", from, from + 200).replace(/^[=\s]+/, "")
  const digits = /^[A-Za-z0-9+/\r\n]+/.exec(begin)?.[0] ?? ""
  if (digits.length < begin.length) return digits !== "" && begin[digits.length] === "="
  const isComplete = from + 200 < octets.length || digits.replace(/\s/g, "").length % 4 === 0
  return digits !== "" && isComplete
}

/**
 * Decodes base64 (RFC 2045 section 6.8). Other characters are ignored, padding may be missing, and encoded pieces may
 * follow each other. Text after the end is dropped; text instead of base64 stays.
 */
export const decodeBase64 = (octets: Buffer): Buffer => {
  if (isProse(lineAt(octets, 0))) return octets
  const decoded = Buffer.allocUnsafeSlow(Math.ceil((octets.length * 3) / 4) + 3)
  let length = 0
  let bits = 0
  let digits = 0
  let line = { start: 0, length: 0, isChecked: true }
  const flush = () => {
    if (digits > 1) decoded[length++] = (digits === 2 ? bits >> 4 : bits >> 10) & 0xff
    if (digits > 2) decoded[length++] = (bits >> 2) & 0xff
    bits = 0
    digits = 0
  }
  for (let at = 0; at < octets.length; at++) {
    const octet = octets[at] ?? 0
    const value = base64Values[octet] ?? -1
    if (value >= 0) {
      bits = (bits << 6) | value
      if (++digits === 4) {
        decoded[length++] = bits >> 16
        decoded[length++] = (bits >> 8) & 0xff
        decoded[length++] = bits & 0xff
        bits = 0
        digits = 0
      }
    } else if (octet === lf) {
      line = { start: at + 1, length, isChecked: length === 0 || digits > 0 }
    } else if (octet === equals) {
      if (digits < 2) continue
      flush()
      if (!continuesAfterPadding(octets, at + 1)) break
    } else if (octet !== cr && !line.isChecked) {
      line.isChecked = true
      if (isFooter(lineAt(octets, line.start))) return decoded.subarray(0, line.length)
    }
  }
  flush()
  return decoded.subarray(0, length)
}

/** A file in uuencode, and its place in the text. */
export interface UuencodedFile {
  readonly name: string
  readonly content: Buffer
  readonly start: number
  readonly end: number
}

const beginLine = /^begin[ \t]+[0-7]{3,4}[ \t]+([^\r\n]{1,255})\r?\n/gm
const maxUuLineLength = 86

/** Decodes a line of uuencode into `decoded`. Returns the number of octets, -1 if the line is invalid. */
const decodeUuLine = (line: string, decoded: Buffer, from: number): number => {
  const count = (line.charCodeAt(0) - 32) & 63
  const digits = Math.ceil(count / 3) * 4
  // One character more is a checksum. Some programs drop spaces at the end of a line.
  if (!/^[ -`]+$/.test(line) || line.length > digits + 2) return -1
  const valueAt = (at: number) => ((at < line.length ? line.charCodeAt(at) : 32) - 32) & 63
  for (let at = 1, to = from; at <= digits; at += 4, to += 3) {
    decoded.writeUIntBE((valueAt(at) << 18) | (valueAt(at + 1) << 12) | (valueAt(at + 2) << 6) | valueAt(at + 3), to, 3)
  }
  return count
}

/** The file whose first line is `found`; null if a line is invalid or the end is missing. */
const uuencodedFile = (text: string, found: RegExpExecArray): UuencodedFile | null => {
  const from = found.index + found[0].length
  const next = text.indexOf("\nbegin ", from)
  const limit = next < 0 ? text.length : next + 1
  if (!text.slice(from, limit).includes("end")) return null
  const decoded = Buffer.allocUnsafeSlow(limit - from + maxUuLineLength)
  let length = 0
  for (let at = from; at < limit; ) {
    const lineEnd = text.indexOf("\n", at)
    const end = lineEnd < 0 ? text.length : lineEnd
    if (end - at > maxUuLineLength) return null
    const line = text.slice(at, end).replace(/\r$/, "")
    at = end + 1
    if (line === "end") {
      return {
        name: found[1] ?? "",
        content: decoded.subarray(0, length),
        start: found.index,
        end: Math.min(at, text.length)
      }
    }
    const count = line === "" ? 0 : decodeUuLine(line, decoded, length)
    if (count < 0) return null
    length += count
  }
  return null
}

/** The complete files in uuencode (POSIX) of a text of octets. */
export const uuencodedFiles = function* (text: string): Generator<UuencodedFile> {
  for (const found of text.matchAll(beginLine)) {
    const file = uuencodedFile(text, found)
    if (file !== null) yield file
  }
}

const decodeUuencode = (octets: Buffer): Buffer => {
  const { value: file } = uuencodedFiles(octets.toString("latin1")).next()
  return file === undefined ? octets : file.content
}

/** Decodes a body by its Content-Transfer-Encoding. A body of another encoding stays. */
export const decodeTransfer = (octets: Buffer, encoding: string): Buffer => {
  switch (encoding.replace(/;.*|\([^()]*\)|["\s]/gs, "").toLowerCase()) {
    case "base64":
      return decodeBase64(octets)
    case "quoted-printable":
      return decodeQuotedPrintable(octets)
    case "x-uuencode":
    case "uuencode":
    case "x-uue":
    case "uue":
      return decodeUuencode(octets)
    default:
      return octets
  }
}
