import { type Slices, sliceBytes } from "@switchboard/services/Slices"
import { headerField } from "./HeaderField.js"

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

const maxBase64Line = 76

/** Octets that a slice encodes, in complete lines. */
const sliceOctets = Math.floor(sliceBytes / 57) * 57

const lineBreak = Buffer.from("\r\n")

/** Encodes octets as base64 in CRLF lines of 76 characters (RFC 2045 section 6.8), without a final CRLF. */
const base64Lines = (content: Uint8Array): Buffer => {
  const encoded = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64")
  const breaks = Math.max(0, Math.ceil(encoded.length / maxBase64Line) - 1)
  const lines = Buffer.allocUnsafe(encoded.length + breaks * 2)
  let to = 0
  for (let from = 0; from < encoded.length; from += maxBase64Line) {
    if (from > 0) to += lines.write("\r\n", to, "latin1")
    to += lines.write(encoded.slice(from, from + maxBase64Line), to, "latin1")
  }
  return lines
}

/** Encodes octets as `base64Lines` does, in several pieces if they are many. */
export function* base64Pieces(content: Uint8Array): Slices<ReadonlyArray<Buffer>> {
  const pieces = [base64Lines(content.subarray(0, sliceOctets))]
  for (let at = sliceOctets; at < content.byteLength; at += sliceOctets) {
    yield
    pieces.push(lineBreak, base64Lines(content.subarray(at, at + sliceOctets)))
  }
  return pieces
}

/**
 * A body in pieces: strings with an octet in each character, and buffers of base64. Lines have at most 998 characters, no piece ends between CR and
 * LF, and the body of a part has no final CRLF.
 */
export type Body = ReadonlyArray<string | Buffer>

/** A MIME entity (RFC 2045 section 2.4): its MIME header fields and its body. */
export interface Entity {
  readonly header: string
  readonly body: Body
  /** Whether the body has octets beyond ASCII. */
  readonly isEightBit?: boolean
}

/** Joins adjacent strings. */
const joinStrings = (pieces: Body): Body => {
  const body: Array<string | Buffer> = []
  for (const piece of pieces) {
    const last = body.at(-1)
    if (typeof piece === "string" && typeof last === "string") body[body.length - 1] = last + piece
    else body.push(piece)
  }
  return body
}

/** A multipart entity (RFC 2046 section 5.1); a single part is returned unchanged. */
export const multipart = (
  subtype: "mixed" | "alternative" | "related",
  id: string,
  parts: readonly [Entity, ...ReadonlyArray<Entity>],
  parameters: ReadonlyArray<string> = []
): Entity => {
  if (parts.length === 1) return parts[0]
  // "=_" never occurs in quoted-printable or base64 (RFC 2045 section 6.7).
  const boundary = `=_${subtype}_${id}`
  const isEightBit = parts.some((part) => part.isEightBit)
  return {
    header: [
      headerField("Content-Type", [
        `multipart/${subtype};`,
        ...parameters.map((parameter) => `${parameter};`),
        `boundary="${boundary}"`
      ]),
      // RFC 2045 section 6.4: the encoding of a multipart is that of its parts.
      isEightBit ? headerField("Content-Transfer-Encoding", ["8bit"]) : ""
    ].join(""),
    isEightBit,
    body: joinStrings([
      ...parts.flatMap(({ body, header }, index) => [
        `${index === 0 ? "" : "\r\n"}--${boundary}\r\n${header}\r\n`,
        ...body
      ]),
      `\r\n--${boundary}--\r\n`
    ])
  }
}

const maxPlainLine = 78

/** Whether every mail server preserves the text: ASCII, short lines, no trailing white space, no line with `From `. */
const is7bit = (text: string): boolean => {
  if (/[^\t\r\n -~]/.test(text) || text.includes("=_")) return false
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf("\r\n", start)
    const end = found === -1 ? text.length : found
    const last = text.charCodeAt(end - 1)
    if (end - start > maxPlainLine || (end > start && (last === 9 || last === 32))) return false
    if (text.startsWith("From ", start)) return false
    start = end + 2
  }
  return true
}

/** Whether quoted-printable is shorter than base64: at most one octet in six must be encoded. */
const isMostlyAscii = (octets: Buffer): boolean => {
  let encoded = 0
  for (const octet of octets) if (octet > 126 || octet === 61) encoded++
  return encoded * 6 <= octets.length
}

/** A text part in 7bit if possible, else in the shorter of quoted-printable and base64. Line breaks become CRLF. */
export const textPart = (subtype: "plain" | "html", content: string): Entity => {
  const text = content.replace(/\r\n?|\n/g, "\r\n")
  const entity = (encoding: string, body: string | Buffer): Entity => ({
    header: `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`,
    body: [body]
  })
  if (is7bit(text)) return entity("7bit", text)
  const octets = Buffer.from(text)
  return isMostlyAscii(octets)
    ? entity("quoted-printable", quotedPrintable(octets))
    : entity("base64", base64Lines(octets))
}
