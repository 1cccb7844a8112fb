import { isUtf8 } from "node:buffer"
import { decodeText, isSameCharset } from "./Charsets.js"
import { decodeBase64 } from "./TransferEncodings.js"

/** The beginning of an encoded word (RFC 2047), with an optional language (RFC 2231 section 5). */
const opening = /=\?([^?\s*]{1,60})(?:\*[^?\s]{0,60})?\?([bq])\?/iy

interface EncodedWord {
  readonly charset: string
  readonly isBase64: boolean
  readonly content: string
  readonly start: number
  readonly end: number
}

/** The next encoded word. Its content may have spaces and 8-bit octets, which RFC 2047 forbids. */
const nextWord = (value: string, from: number): EncodedWord | null => {
  for (let start = value.indexOf("=?", from); start >= 0; start = value.indexOf("=?", start + 2)) {
    opening.lastIndex = start
    const [begin = "", charset = "", encoding = ""] = opening.exec(value) ?? []
    if (begin === "") continue
    const contentStart = start + begin.length
    // A word ends before the next one begins. `=?` can also be the end of a content and of its word: `a=?=`.
    const next = value.indexOf("=?", contentStart)
    const content = value.slice(contentStart, next < 0 ? undefined : next + 3)
    const length = content.indexOf("?=")
    if (length < 0) continue
    const end = contentStart + length
    return { charset, isBase64: /b/i.test(encoding), content: value.slice(contentStart, end), start, end: end + 2 }
  }
  return null
}

const octetsOf = ({ content, isBase64 }: EncodedWord): Buffer =>
  isBase64
    ? decodeBase64(Buffer.from(content, "latin1"))
    : Buffer.from(
        content
          .replaceAll("_", " ")
          .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        "latin1"
      )

/** The text of adjacent words of one charset. A character can be split between them, and so can a digit of base64. */
const textOf = (words: ReadonlyArray<EncodedWord>): string => {
  const [first] = words
  if (first === undefined) return ""
  const octets = Buffer.concat(words.map(octetsOf))
  const isSplitDigit = words.length > 1 && words.every(({ isBase64 }) => isBase64) && !isUtf8(octets)
  const joined = isSplitDigit
    ? decodeBase64(Buffer.from(words.map(({ content }) => content).join(""), "latin1"))
    : octets
  return decodeText(isUtf8(joined) ? joined : octets, first.charset)
}

/** Undeclared octets. */
const plainText = (value: string, fallback: string): string => decodeText(Buffer.from(value, "latin1"), "", fallback)

/**
 * Decodes the encoded words (RFC 2047) of a header value of octets. Octets outside of words are UTF-8, ISO-2022-JP or of
 * the fallback charset.
 */
export const decodeWords = (value: string, fallback = ""): string => {
  const texts: Array<string> = []
  let words: Array<EncodedWord> = []
  let at = 0
  for (let word = nextWord(value, 0); word !== null; word = nextWord(value, at)) {
    const between = value.slice(at, word.start)
    const isAdjacent = words.length > 0 && /^[ \t\r\n]*$/.test(between)
    if (!isAdjacent || !isSameCharset(words[0]?.charset ?? "", word.charset)) {
      texts.push(textOf(words), isAdjacent ? "" : plainText(between, fallback))
      words = []
    }
    words.push(word)
    at = word.end
  }
  return [...texts, textOf(words), plainText(value.slice(at), fallback)].join("")
}

/** Control characters except tab and line feed, lone surrogates and noncharacters. */
const unstorable = /(?![\t\n])\p{Control}|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu

/** The Windows-1252 characters for U+0080 to U+009F; a space where it has none. */
const windowsLetters = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"

/** Control characters U+0080 to U+009F are quotes and euro signs of Windows-1252 that a program decoded as ISO 8859-1. */
const withWindowsLetters = (text: string): string =>
  text.replace(/[\x80-\x9F]/g, (control) => windowsLetters.charAt(control.charCodeAt(0) - 0x80).trim())

/** Bidirectional control characters: they display `fdp.exe` as `exe.pdf`. */
const bidiControls = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** Truncates to `maxLength` UTF-16 units without splitting a surrogate pair. */
const truncate = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : text.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, "")

/** The body of a mail with LF line ends, without unstorable characters. */
export const bodyText = (text: string, maxLength: number): string =>
  withWindowsLetters(truncate(text, maxLength)).replace(/\r\n?/g, "\n").replace(unstorable, "")

/** The value of a header field on one line, without unstorable characters. */
export const headerText = (text: string, maxLength = Number.POSITIVE_INFINITY): string =>
  withWindowsLetters(truncate(text, maxLength))
    .replace(/[\t\r\n]+/g, " ")
    .replace(unstorable, "")
    .trim()

/** The value of a header field of octets, with its encoded words (RFC 2047) decoded. */
export const decodedHeader = (value: string, fallbackCharset = ""): string =>
  headerText(decodeWords(value, fallbackCharset))

/** A safe file name: without folders, bidirectional controls, leading dots and spaces. Null if nothing is left. */
export const fileName = (name: string): string | null => {
  const plain = headerText(name.replace(/^.*[/\\]/s, "").replace(bidiControls, ""), 200).replace(/^[. ]+|[. ]+$/g, "")
  return plain === "" ? null : plain
}
