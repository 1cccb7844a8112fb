import { maxHeaderWord } from "@switchboard/domain/messages/EmailHeaders"
import { encodedWords } from "./EncodedWords.js"

/** In characters, for a line with encoded words (RFC 2047 section 2). Other lines may have 78 (RFC 5322 section 2.1.1). */
const maxLineLength = 76

/** Replaces line breaks and NUL by spaces: a line break would inject a header field. */
export const oneLine = (text: string): string => text.replace(/[\r\n\0]+/g, " ")

/** Words of printable ASCII separated by single spaces, which folding and unfolding do not change. */
const words = /^[!-~]+(?: [!-~]+)*$/

/** Whether a text needs no encoding in a header field and can't be mistaken for an encoded word. */
export const isPlain = (text: string): boolean => words.test(text) && !text.includes("=?")

/** A header field, folded between tokens; before the first token only if it is an encoded word. */
export const headerField = (name: string, tokens: ReadonlyArray<string>): string => {
  let field = `${name}:`
  let length = field.length
  for (const [index, token] of tokens.entries()) {
    if (length + 1 + token.length > maxLineLength && (index > 0 || token.startsWith("=?"))) {
      field += "\r\n"
      length = 0
    }
    field += ` ${token}`
    length += 1 + token.length
  }
  return `${field}\r\n`
}

/** An unstructured header field. Encoded words if the text is not ASCII or has a word over `maxWord` characters. */
export const textField = (name: string, value: string, maxWord = maxHeaderWord): string => {
  const text = oneLine(value)
  const tokens = text.split(" ")
  const isUnencoded = text === "" || (isPlain(text) && tokens.every((token) => token.length <= maxWord))
  return headerField(name, isUnencoded ? tokens : encodedWords(text))
}
