import { decodeWords } from "postal-mime"

/** All that a text of people does not need: controls but tab and line feed, halves of characters, what is no character. */
const unfit = /(?![\t\n])\p{Control}|\p{Surrogate}|\p{Noncharacter_Code_Point}/gu

/** The letters of Windows-1252 in the place of the controls U+0080 to U+009F, which nobody writes; blank where it has none. */
const windowsLetters = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ"

/** Node.js 20 takes Windows-1252, and with it each unknown charset, for ISO-8859-1: quotes and euros would be lost. */
const withWindowsLetters = (text: string): string =>
  text.replace(/[\x80-\x9F]/g, (control) => windowsLetters.charAt(control.charCodeAt(0) - 0x80).trim())

/** Formatting that turns the direction of a text: it makes `exe.pdf` of `fdp.exe`. */
const turning = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g

/** No more than so many characters, and no half of one. */
const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")

/** A body of a mail: lines end with a line feed, and there is nothing in it that can't be stored. */
export const bodyText = (text: string, most: number): string =>
  withWindowsLetters(cut(text, most)).replace(/\r\n?/g, "\n").replace(unfit, "")

/** What a header says, on one line. */
export const headerText = (text: string, most = Number.POSITIVE_INFINITY): string =>
  withWindowsLetters(cut(text, most))
    .replace(/[\t\r\n]+/g, " ")
    .replace(unfit, "")
    .trim()

/** A header with its encoded words (RFC 2047) decoded. */
export const decodedHeader = (value: string): string => headerText(decodeWords(value))

/** The name that a file is offered under: without folders, and as it will be read. Null if nothing is left of it. */
export const fileName = (name: string): string | null => {
  const plain = headerText(name.replace(/^.*[/\\]/s, "").replace(turning, ""), 200).replace(/^[. ]+|[. ]+$/g, "")
  return plain === "" ? null : plain
}
