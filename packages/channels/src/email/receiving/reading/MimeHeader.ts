import { MailLimitExceeded, mailLimits } from "./MailLimits.js"

/** A header field. The value is unfolded, in octets. */
export interface HeaderField {
  /** As written. */
  readonly name: string
  readonly value: string
}

/** The header of an entity, and the position of its body. */
export interface MimeHeader {
  readonly fields: ReadonlyArray<HeaderField>
  readonly bodyStart: number
  /** Octets of the header. */
  readonly size: number
}

const lf = 0x0a

/** Removes blanks and line ends at both ends. `trim` would also remove the octet A0, which is part of UTF-8 characters. */
export const trimBlanks = (text: string): string => {
  let start = 0
  let end = text.length
  while (start < end && " \t\r\n".includes(text[start] ?? "")) start++
  while (end > start && " \t\r\n".includes(text[end - 1] ?? "")) end--
  return text.slice(start, end)
}

/** A valid field name (RFC 5322 section 2.2). */
const fieldLine = /^([\x21-\x39\x3B-\x7E]{1,200})[ \t]*:/
const knownName = /^(?:content-.*|from|to|cc|subject|date|sender|received|message-id|mime-version|return-path)$/i
const structuredName = /^content-(?:type|disposition)$/i
/** A parameter at the start of a line, which has lost the white space before it. */
const parameterLine = /^[a-z-]{2,40}(?:\*\d*)?\*?[ \t]*=/i
const mboxLine = /^>?From /

interface OpenField {
  readonly name: string
  readonly lines: Array<string>
}

/** The state of a header that is being read. */
interface Reading {
  readonly fields: Array<OpenField>
  /** The position of the first line after the last field that is no field. */
  text: number | null
  /** Whether any line is no field. */
  hasText: boolean
}

const readLine = (reading: Reading, line: string, start: number): void => {
  const open = reading.fields.at(-1)
  const isFolded = line.startsWith(" ") || line.startsWith("\t")
  if (isFolded || (open !== undefined && structuredName.test(open.name) && parameterLine.test(line))) {
    if (reading.text === null) open?.lines.push(isFolded ? line : ` ${line}`)
    return
  }
  const [begin = "", name = ""] = fieldLine.exec(line) ?? []
  if (begin !== "") {
    reading.fields.push({ name, lines: [line.slice(begin.length)] })
    reading.text = null
  } else if (!mboxLine.test(line) && line !== "") {
    if (!line.includes(":")) reading.text ??= start
    reading.hasText = true
  }
}

const headerOf = ({ fields }: Reading, bodyStart: number): MimeHeader => ({
  fields: fields.map(({ lines, name }) => ({ name, value: trimBlanks(lines.join("")) })),
  bodyStart,
  size: bodyStart
})

/**
 * Reads the header of the entity in `octets`. A text without a header is the body, and so is a text that follows the
 * last field without an empty line. Other lines that are no fields are skipped.
 */
export const readHeader = (octets: Buffer): MimeHeader => {
  const reading: Reading = { fields: [], text: null, hasText: false }
  const begin = octets[0] === 0xef && octets[1] === 0xbb && octets[2] === 0xbf ? 3 : 0
  let at = begin
  let isEnded = false
  while (at < octets.length && !isEnded) {
    const lineEnd = octets.indexOf(lf, at)
    const end = lineEnd < 0 ? octets.length : lineEnd
    // A text without a header may be long.
    if (end > mailLimits.headerBytes && reading.fields.length === 0) break
    if (end > mailLimits.headerBytes) throw new MailLimitExceeded("The header size exceeds 128 KiB")
    const line = octets.toString("latin1", at, end).replace(/\r+$/, "")
    // A delimiter line ends a header without an empty line.
    if (line.startsWith("--") && reading.fields.length > 0) return headerOf(reading, at)
    isEnded = line === ""
    readLine(reading, line, at)
    at = lineEnd < 0 ? octets.length : lineEnd + 1
  }
  const isText = reading.hasText || (reading.fields.length === 0 && !isEnded)
  if (isText && !reading.fields.some(({ name }) => knownName.test(name))) {
    return { fields: [], bodyStart: begin, size: 0 }
  }
  return headerOf(reading, reading.text ?? (isEnded ? at : octets.length))
}
