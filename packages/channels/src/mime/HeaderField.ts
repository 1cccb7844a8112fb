import { maxHeaderWord } from "@switchboard/domain/messages/EmailHeaders"
import { encodedWords } from "./EncodedWords.js"

/** Characters of a line that has encoded words (RFC 2047 section 2); other lines may have 78 (RFC 5322 section 2.1.1). */
const maxLine = 76

/** One line of text: line breaks would begin another header field. */
export const oneLine = (text: string): string => text.replace(/[\r\n\0]+/g, " ")

/** Words of printable ASCII with one space between two of them: folding and unfolding does not change it. */
const words = /^[!-~]+(?: [!-~]+)*$/

/** Whether a text can stand in a header field as it is, and is not read as an encoded word. */
export const isPlain = (text: string): boolean => words.test(text) && !text.includes("=?")

/** A header field. It is folded between tokens, and before the first one only if that is an encoded word. */
export const headerField = (name: string, tokens: ReadonlyArray<string>): string => {
  let field = `${name}:`
  let length = field.length
  for (const [index, token] of tokens.entries()) {
    if (length + 1 + token.length > maxLine && (index > 0 || token.startsWith("=?"))) {
      field += "\r\n"
      length = 0
    }
    field += ` ${token}`
    length += 1 + token.length
  }
  return `${field}\r\n`
}

/** A header field with text: encoded words if it has other characters than ASCII, or a word over `maxWord` characters. */
export const textField = (name: string, value: string, maxWord = maxHeaderWord): string => {
  const text = oneLine(value)
  const tokens = text.split(" ")
  const asItIs = text === "" || (isPlain(text) && tokens.every((token) => token.length <= maxWord))
  return headerField(name, asItIs ? tokens : encodedWords(text))
}
