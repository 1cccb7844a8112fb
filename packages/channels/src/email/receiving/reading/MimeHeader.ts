import { decodeText } from "./Charsets.js"
import { decodeWords } from "./MailText.js"

/** The limits of a parsed mail. A mail beyond a limit is refused, or truncated if the limit is marked so. */
export const mailLimits = {
  /** Entities of the MIME tree. */
  parts: 1_000,
  depth: 32,
  /** Fields of the header of an entity. */
  headers: 1_000,
  /** The total of all parts, in bytes. */
  headerBytes: 128 * 1024,
  /** Characters of a text or HTML body; truncates. The raw mail has the rest. */
  body: 2_000_000,
  /** Addresses of a header field; truncates after the first ones. */
  addresses: 1_000,
  /** Message-IDs of References and In-Reply-To; the last ones are used, which are the nearest ancestors. */
  ids: 100
} as const

/** The mail exceeds a limit. */
export class MailLimitExceeded extends Error {}

/** A header field. The value is unfolded, in octets. */
export interface HeaderField {
  /** As written. */
  readonly name: string
  readonly value: string
}

/** The header of an entity, and the position of its body. */
interface MimeHeader {
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

/** A structured header field with parameters (RFC 2045 section 5.1), such as Content-Type. */
export interface HeaderParameters {
  /** In lower case. */
  readonly value: string
  /** The value of a parameter as octets; empty if there is none. */
  readonly octets: (name: string) => string
  /** The decoded value of a parameter; empty if there is none. */
  readonly text: (name: string, fallbackCharset?: string) => string
}

/** A parameter, or a piece of one (RFC 2231 section 3). */
interface Parameter {
  readonly name: string
  readonly section: number
  readonly isEncoded: boolean
  readonly value: string
}

const comments = /\([^()]*\)/g
const fileNames: ReadonlySet<string> = new Set(["name", "filename"])

/** The position after the quoted string at `start`; -1 if it is not closed. */
export const quotedEnd = (text: string, start: number): number => {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === '"') return at + 1
  }
  return -1
}

/** The value at `from`, and the position after it. */
const readValue = (text: string, name: string, from: number): readonly [value: string, end: number] => {
  const start = from + (/^[ \t\r\n]*/.exec(text.slice(from, from + 1_000))?.[0].length ?? 0)
  const quoteEnd = text[start] === '"' ? quotedEnd(text, start) : -1
  if (quoteEnd > 0) return [text.slice(start + 1, quoteEnd - 1).replace(/\\(.)/gs, "$1"), quoteEnd]
  const semicolon = text.indexOf(";", start)
  const end = semicolon < 0 ? text.length : semicolon
  const plain = text.slice(start, end).replace(/^"/, "")
  return [trimBlanks(fileNames.has(name) ? plain : plain.replace(comments, "")), end]
}

const parameterName = /([^=;\s*"]{1,100})(?:\*(\d{1,30}))?(\*)?[ \t]*=/y

const readParameters = (text: string): ReadonlyArray<Parameter> => {
  const parameters: Array<Parameter> = []
  let at = 0
  while (at < text.length) {
    if (";, \t\r\n".includes(text[at] ?? "")) {
      at++
      continue
    }
    parameterName.lastIndex = at
    const [begin = "", name = "", section, star] = parameterName.exec(text) ?? []
    if (begin === "") {
      const next = text.indexOf(";", at)
      if (next < 0) break
      at = next + 1
    } else {
      const lowerName = name.toLowerCase()
      const [value, end] = readValue(text, lowerName, at + begin.length)
      const isPiece = section !== undefined || star !== undefined
      parameters.push({
        name: lowerName,
        section: isPiece ? Number(section ?? 0) : -1,
        isEncoded: star !== undefined,
        value
      })
      at = end
    }
  }
  return parameters
}

const percentDecoded = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** The octets of a parameter and its charset; pieces (RFC 2231) have precedence over the plain form. */
const joinPieces = (
  parameters: ReadonlyArray<Parameter>
): { readonly octets: string; readonly charset: string | null } => {
  const pieces = parameters.filter(({ section }) => section >= 0).sort((one, other) => one.section - other.section)
  const [first] = pieces
  if (first === undefined) return { octets: parameters[0]?.value ?? "", charset: null }
  const [, charset = null, value = first.value] =
    (first.isEncoded ? /^([^']*)'[^']*'"?(.*?)"?$/s.exec(first.value) : null) ?? []
  const octets = [{ ...first, value }, ...pieces.slice(1)]
    .map((piece) => (piece.isEncoded ? percentDecoded(piece.value) : piece.value))
    .join("")
  return { octets, charset: charset ?? (first.isEncoded ? "" : null) }
}

/** The end of the value before the parameters, whose semicolon may be missing. */
const valueEnd = /;|(?:^|[ \t\r\n])(?=[\w*-]{1,60}=)/

/** Parses a header value of octets, as lenient as mail readers. The first of equal parameters counts. */
export const parseParameters = (field: string): HeaderParameters => {
  const end = field.search(valueEnd)
  const value = end < 0 ? field : field.slice(0, end)
  const byName = new Map<string, Array<Parameter>>()
  for (const parameter of end < 0 ? [] : readParameters(field.slice(end))) {
    const others = byName.get(parameter.name)
    if (others === undefined) byName.set(parameter.name, [parameter])
    else others.push(parameter)
  }
  const parameterOf = (name: string) => joinPieces(byName.get(name) ?? [])
  return {
    value: value.replace(comments, "").replace(/\(.*$/s, "").trim().toLowerCase(),
    octets: (name) => parameterOf(name).octets,
    text: (name, fallbackCharset) => {
      const { charset, octets } = parameterOf(name)
      return charset === null
        ? decodeWords(octets, fallbackCharset)
        : decodeText(Buffer.from(octets, "latin1"), charset, fallbackCharset)
    }
  }
}
