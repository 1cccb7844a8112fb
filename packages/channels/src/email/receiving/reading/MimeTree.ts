import {
  type HeaderField,
  type HeaderParameters,
  MailLimitExceeded,
  mailLimits,
  parseParameters,
  readHeader,
  trimBlanks
} from "./MimeHeader.js"
import { decodeTransfer } from "./TransferEncodings.js"

/** An entity of a mail (RFC 2045 section 2.4). */
export interface MimeEntity {
  readonly fields: ReadonlyArray<HeaderField>
  /** In lower case, `text/plain` if there is none. */
  readonly type: string
  readonly parameters: HeaderParameters
  /** The octets of a leaf, with the transfer encoding removed. */
  readonly content: Buffer
  /** The entities of a multipart. */
  readonly children: ReadonlyArray<MimeEntity>
  /** The octets of a multipart before the first delimiter, and after the last one. */
  readonly outside: ReadonlyArray<Buffer>
}

const lf = 0x0a
const cr = 0x0d
const noOctets = Buffer.alloc(0)

/** The value of the first field with this name, or an empty text. `name` is in lower case. */
export const fieldValue = (fields: ReadonlyArray<HeaderField>, name: string): string =>
  fields.find((field) => field.name.toLowerCase() === name)?.value ?? ""

/** A delimiter line: where it starts, and where the next line does. */
interface Delimiter {
  readonly start: number
  readonly end: number
  readonly isClose: boolean
}

/** The delimiter line at `start` if only white space follows the boundary. */
const delimiterAt = (body: Buffer, start: number, length: number): Delimiter | null => {
  const isClose = body.toString("latin1", start + length, start + length + 2) === "--"
  let at = start + length + (isClose ? 2 : 0)
  while (body[at] === 0x20 || body[at] === 0x09 || body[at] === cr) at++
  if (at < body.length && body[at] !== lf) return null
  return { start, end: Math.min(at + 1, body.length), isClose }
}

/** The delimiter lines of a multipart. */
export const delimiters = function* (body: Buffer, boundary: string): Generator<Delimiter> {
  const line = Buffer.from(`--${boundary}`, "latin1")
  let isOpen = false
  for (let at = body.indexOf(line); at >= 0; at = body.indexOf(line, at + 1)) {
    const delimiter = at === 0 || body[at - 1] === lf ? delimiterAt(body, at, line.length) : null
    if (delimiter === null || (delimiter.isClose && !isOpen)) continue
    yield delimiter
    isOpen = !delimiter.isClose
  }
}

/** The position before the line break that ends at `end`. The line break before a delimiter is part of the delimiter. */
export const beforeLineBreak = (body: Buffer, from: number, end: number): number => {
  const withoutLf = end > from && body[end - 1] === lf ? end - 1 : end
  return withoutLf > from && withoutLf < end && body[withoutLf - 1] === cr ? withoutLf - 1 : withoutLf
}

interface Multipart {
  readonly outside: ReadonlyArray<Buffer>
  readonly parts: ReadonlyArray<Buffer>
}

/** Whether one of the parts is a multipart with the same boundary, so that a close delimiter can be that of the part. */
const hasSameBoundary = (parts: ReadonlyArray<Buffer>, boundary: string): boolean =>
  parts.some((part) => part.subarray(0, 2_000).includes(boundary, 0, "latin1"))

const lostPart = /^[ \t\r\n]*(?=content-(?:type|disposition|transfer-encoding)[ \t]*:)/i

/** The preamble without empty lines before it if it begins like the header of a part, whose delimiter is lost. */
const partsOfPreamble = (preamble: Buffer): ReadonlyArray<Buffer> => {
  const blanks = lostPart.exec(preamble.toString("latin1", 0, 500))?.[0]
  return blanks === undefined ? [] : [preamble.subarray(blanks.length)]
}

/** Splits the body of a multipart; null if the boundary is not used. */
const splitMultipart = (body: Buffer, boundary: string): Multipart | null => {
  if (boundary === "") return null
  const parts: Array<Buffer> = []
  let preamble: Buffer | null = null
  let start = 0
  let isOpen = false
  for (const delimiter of delimiters(body, boundary)) {
    if (preamble !== null && !isOpen && !hasSameBoundary(parts, boundary)) break
    const piece = body.subarray(start, beforeLineBreak(body, start, delimiter.start))
    if (preamble === null) preamble = piece
    else if (isOpen) parts.push(piece)
    if (parts.length > mailLimits.parts) throw new MailLimitExceeded("It has too many parts")
    start = delimiter.end
    isOpen = !delimiter.isClose
  }
  if (preamble === null) return null
  const end = body.subarray(start)
  return {
    outside: isOpen ? [preamble] : [preamble, end],
    parts: [...partsOfPreamble(preamble), ...parts, ...(isOpen ? [end] : [])]
  }
}

const dashedLine = /(?:^|\n)--([^\r\n]{1,200})(?:\r?\n|$)(content-[a-z-]{2,40}[ \t]*:)?/gi

/**
 * The boundary that a body uses: that of the first line of dashes before a header field of a part, or with a close
 * delimiter after it. Empty if there is none.
 */
const usedBoundary = (body: Buffer): string => {
  const text = body.toString("latin1")
  const seen = new Set<string>()
  dashedLine.lastIndex = 0
  for (let found = dashedLine.exec(text); found !== null; found = dashedLine.exec(text)) {
    const [line, dashed = "", field] = found
    // The line break is also the beginning of the next match.
    dashedLine.lastIndex = found.index + line.length - (field?.length ?? 0) - 1
    const boundary = trimBlanks(dashed)
    const opened = boundary.replace(/--$/, "")
    if (opened !== boundary && seen.has(opened)) return opened
    if (!/[a-z0-9]/i.test(boundary) || /^[ \t-]/.test(dashed)) continue
    if (field !== undefined) return boundary
    if (seen.size < mailLimits.parts) seen.add(boundary)
  }
  return ""
}

/** What the entities of a mail have in common. */
interface Count {
  entities: number
  headerBytes: number
}

const typeOf = ({ value }: HeaderParameters, defaultType: string): string => {
  if (value === "multipart") return "multipart/mixed"
  return value.includes("/") ? value : defaultType
}

/** The Content-Type fields, of which the first counts, but a used multipart before others. */
const contentTypes = (fields: ReadonlyArray<HeaderField>): ReadonlyArray<HeaderParameters> => {
  const values = fields.flatMap(({ name, value }) => (name.toLowerCase() === "content-type" ? [value] : []))
  return (values.length === 0 ? [""] : values.slice(0, 10)).map(parseParameters)
}

const multipartOf = (body: Buffer, types: ReadonlyArray<HeaderParameters>) => {
  const multiparts = types.filter((one) => typeOf(one, "").startsWith("multipart/"))
  for (const parameters of multiparts) {
    const boundary = parameters.octets("boundary")
    const multipart = splitMultipart(body, trimBlanks(boundary) || boundary)
    if (multipart !== null) return { ...multipart, parameters }
  }
  const [parameters] = multiparts
  if (parameters === undefined) return null
  const multipart = splitMultipart(body, usedBoundary(body))
  return multipart === null ? null : { ...multipart, parameters }
}

const textType = (content: Buffer): string =>
  /^\s*<(?:!doctype|html|head|body|div|p|table)\b/i.test(content.toString("latin1", 0, 1_000))
    ? "text/html"
    : "text/plain"

const readEntity = (octets: Buffer, defaultType: string, depth: number, count: Count): MimeEntity => {
  if (depth > mailLimits.depth) throw new MailLimitExceeded(`The nesting depth exceeds ${mailLimits.depth}`)
  if (++count.entities > mailLimits.parts) throw new MailLimitExceeded("It has too many parts")
  const { bodyStart, fields, size } = readHeader(octets)
  count.headerBytes += size
  if (count.headerBytes > mailLimits.headerBytes) throw new MailLimitExceeded("The header size exceeds 128 KiB")
  if (fields.length > mailLimits.headers) throw new MailLimitExceeded("It has too many headers")

  const body = octets.subarray(bodyStart)
  const types = contentTypes(fields)
  const [first = parseParameters("")] = types
  const content = decodeTransfer(body, fieldValue(fields, "content-transfer-encoding"))
  // Some programs encode a multipart, which RFC 2045 section 6.4 forbids.
  const multipart = multipartOf(body, types) ?? (content === body ? null : multipartOf(content, types))
  if (multipart === null) {
    const type = typeOf(first, defaultType)
    return {
      fields,
      // A multipart without parts is text, as if it had no type.
      type: type.startsWith("multipart/") ? textType(content) : type,
      parameters: first,
      content,
      children: [],
      outside: []
    }
  }
  const { outside, parameters, parts } = multipart
  const type = typeOf(parameters, defaultType)
  const partType = type === "multipart/digest" ? "message/rfc822" : "text/plain"
  return {
    fields,
    type,
    parameters,
    content: noOctets,
    children: parts.map((part) => readEntity(part, partType, depth + 1, count)),
    outside
  }
}

/** Parses the MIME tree of a mail. Throws `MailLimitExceeded`. */
export const readMime = (raw: Buffer): MimeEntity => readEntity(raw, "text/plain", 1, { entities: 0, headerBytes: 0 })
