import { isAscii } from "node:buffer"
import { type Slices, sliceBytes } from "@switchboard/services/Slices"
import { encodableText, metaCharset } from "../email/receiving/reading/Charsets.js"
import { type HeaderParameters, mailLimits, parseParameters } from "../email/receiving/reading/MimeHeader.js"
import { beforeLineBreak, delimiters } from "../email/receiving/reading/MimeTree.js"
import { decodeTransfer } from "../email/receiving/reading/TransferEncodings.js"
import { base64Pieces, quotedPrintable } from "./Entity.js"
import { fieldValue, headerFields, type RawField } from "./HeaderFields.js"

/** The maximum size of a rewritten HTML part in octets, encoded. Larger ones stay as they are. */
const maxHtmlOctets = mailLimits.body

/** The maximum length of a line without CRLF (RFC 5322 section 2.1.1). */
const maxLineLength = 998

const lineBreak = Buffer.from("\r\n")

/** Octets of a mail that others replace. */
interface Change {
  readonly start: number
  readonly end: number
  readonly octets: Buffer
}

type Rewrite = (html: string) => string

/** An entity of a mail, of which no field for its type or encoding is repeated. */
interface RawEntity {
  readonly header: ReadonlyArray<RawField>
  readonly content: Buffer
  readonly type: HeaderParameters
  readonly disposition: string
  /** In lower case; 7bit if there is none (RFC 2045 section 6.1). */
  readonly encoding: string
}

/** Null if the entity has no Content-Type or no body, or repeats a field. */
const rawEntity = (octets: Buffer): RawEntity | null => {
  const fields = headerFields(octets, mailLimits.headerBytes)
  const header = fields.slice(0, -1)
  const body = fields.at(-1)?.octets ?? Buffer.of()
  const valuesOf = (wanted: string) => header.flatMap((field) => (field.name === wanted ? [fieldValue(field)] : []))
  const [type, ...moreTypes] = valuesOf("content-type")
  const [encoding = "7bit", ...moreEncodings] = valuesOf("content-transfer-encoding")
  const [disposition = "", ...moreDispositions] = valuesOf("content-disposition")
  const isRepeated = [moreTypes, moreEncodings, moreDispositions].some(({ length }) => length > 0)
  return type === undefined || isRepeated || !body.subarray(0, 2).equals(lineBreak)
    ? null
    : {
        header,
        content: body.subarray(2),
        type: parseParameters(type),
        disposition: parseParameters(disposition).value,
        encoding: encoding.toLowerCase()
      }
}

/** The places of the parts of a multipart; none if it does not end with its close delimiter. */
const partsOf = (content: Buffer, boundary: string): ReadonlyArray<Omit<Change, "octets">> => {
  const parts: Array<Omit<Change, "octets">> = []
  let start = -1
  for (const delimiter of delimiters(content, boundary)) {
    if (start >= 0) parts.push({ start, end: beforeLineBreak(content, start, delimiter.start) })
    if (delimiter.isClose) return parts
    start = delimiter.end
  }
  return []
}

/** Decodes a body, of which any other form than that of RFC 2045 is null. */
const decoded = (content: Buffer, encoding: string): Buffer | null => {
  switch (encoding) {
    case "7bit":
    case "8bit":
      return content
    case "quoted-printable":
      return decodeTransfer(content, encoding)
    case "base64": {
      const digits = content.toString("latin1").replace(/[\t\r\n ]+/g, "")
      const isComplete = digits.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(digits)
      return isComplete ? Buffer.from(digits, "base64") : null
    }
    default:
      return null
  }
}

const hasLongLine = (octets: Buffer): boolean => {
  for (let start = 0; start < octets.length; ) {
    const found = octets.indexOf(lineBreak, start)
    const end = found < 0 ? octets.length : found
    if (end - start > maxLineLength) return true
    start = end + 2
  }
  return false
}

const charsetParameter = /(;\s*)charset\*?\s*=\s*(?:"[^"]*"|[^\s;]+)/i

/** Replaces or adds the charset of a Content-Type field. */
const withUtf8 = (field: string): string =>
  charsetParameter.test(field)
    ? field.replace(charsetParameter, "$1charset=utf-8")
    : field.replace(/\r\n$/, "; charset=utf-8\r\n")

/** The fields of a part whose HTML became UTF-8 or quoted-printable. */
const changedHeader = (header: ReadonlyArray<RawField>, isConverted: boolean, isEncoded: boolean) => [
  ...header
    .filter(({ name }) => !isEncoded || name !== "content-transfer-encoding")
    .map(({ name, octets }) =>
      isConverted && name === "content-type" ? Buffer.from(withUtf8(octets.toString("latin1")), "latin1") : octets
    ),
  ...(isEncoded ? [Buffer.from("Content-Transfer-Encoding: quoted-printable\r\n")] : [])
]

/** An HTML part with its HTML rewritten; null if it stays. */
function* rewrittenPart({ content, encoding, header, type }: RawEntity, rewrite: Rewrite): Slices<Buffer | null> {
  const octets = content.length > maxHtmlOctets ? null : decoded(content, encoding)
  const html = octets === null ? null : encodableText(octets, type.text("charset") || metaCharset(octets))
  if (octets === null || html === null) return null
  const text = rewrite(html.text)
  if (text === html.text) return null
  yield
  const changed = html.encode(text)
  const isPlain = encoding === "7bit" || encoding === "8bit"
  // A part labelled 7bit can have come with octets beyond ASCII.
  const isEncoded = isPlain && (hasLongLine(changed) || (encoding === "7bit" && !isAscii(changed) && isAscii(octets)))
  const body =
    encoding === "base64"
      ? yield* base64Pieces(changed)
      : [isPlain && !isEncoded ? changed : Buffer.from(quotedPrintable(changed), "latin1")]
  const head = changedHeader(header, html.isConverted, isEncoded)
  return Buffer.concat([...head, lineBreak, ...body])
}

/** The changes of an entity that starts at `start` of its mail. */
function* changesOf(octets: Buffer, start: number, depth: number, rewrite: Rewrite): Slices<ReadonlyArray<Change>> {
  const entity = depth > mailLimits.depth ? null : rawEntity(octets)
  if (entity === null) return []
  const { content, disposition, encoding, type } = entity
  if (type.value === "text/html" && disposition !== "attachment") {
    const rewritten = yield* rewrittenPart(entity, rewrite)
    return rewritten === null ? [] : [{ start, end: start + octets.length, octets: rewritten }]
  }
  const boundary = type.octets("boundary")
  const isOpen = type.value.startsWith("multipart/") && !/\/(?:signed|encrypted)$/.test(type.value)
  // RFC 2045 section 6.4: a multipart is not encoded.
  if (!isOpen || boundary === "" || !/^(?:7bit|8bit|binary)$/.test(encoding)) return []
  const changes: Array<Change> = []
  const contentStart = start + octets.length - content.length
  for (const part of partsOf(content, boundary)) {
    if (part.end - part.start > sliceBytes) yield
    const inner = content.subarray(part.start, part.end)
    changes.push(...(yield* changesOf(inner, contentStart + part.start, depth + 1, rewrite)))
  }
  // A soft line break of quoted-printable can put text like the boundary at the start of a line.
  return changes.filter((change) => !change.octets.includes(`\r\n--${boundary}`, 0, "latin1"))
}

/**
 * A mail (in CRLF lines) with its HTML parts rewritten, except attached ones. Signed and encrypted parts stay, and so do
 * parts that are not valid MIME (RFC 2045, RFC 2046) or not valid in their charset. All other octets stay.
 */
export function* rewriteHtml(mail: Buffer, rewrite: Rewrite): Slices<Buffer> {
  const pieces: Array<Buffer> = []
  let copied = 0
  for (const { end, octets, start } of yield* changesOf(mail, 0, 1, rewrite)) {
    pieces.push(mail.subarray(copied, start), octets)
    copied = end
  }
  return pieces.length === 0 ? mail : Buffer.concat([...pieces, mail.subarray(copied)])
}
