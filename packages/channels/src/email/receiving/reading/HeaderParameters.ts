import { decodeText } from "./Charsets.js"
import { decodeWords } from "./EncodedWords.js"
import { trimBlanks } from "./MimeHeader.js"

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
