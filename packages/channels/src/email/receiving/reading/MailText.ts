import { decodeWords } from "./EncodedWords.js"

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
