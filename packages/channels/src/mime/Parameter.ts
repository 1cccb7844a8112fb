import { isPlain, oneLine } from "./HeaderField.js"

const maxValue = 60
const token = /^[A-Za-z0-9!#$&+.^_`{|}~-]+$/

const encoded = (character: string): string =>
  token.test(character)
    ? character
    : Array.from(
        Buffer.from(character),
        (octet) => `%${octet < 16 ? "0" : ""}${octet.toString(16).toUpperCase()}`
      ).join("")

/** Percent-encoded pieces, each of complete characters. */
const pieces = (value: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let piece = ""
  for (const character of value) {
    const next = encoded(character)
    if (piece.length + next.length > maxValue) {
      found.push(piece)
      piece = ""
    }
    piece += next
  }
  return [...found, piece]
}

/**
 * A parameter of a header field: as a token or quoted string where every reader takes it as it is, or else encoded and,
 * if it is long, in several parts (RFC 2231).
 */
export const parameter = (name: string, value: string): ReadonlyArray<string> => {
  const text = oneLine(value)
  if (text.length <= maxValue && token.test(text)) return [`${name}=${text}`]
  if (text.length <= maxValue && isPlain(text) && !/["\\%]/.test(text)) return [`${name}="${text}"`]
  const [first = "", ...rest] = pieces(text)
  return rest.length === 0
    ? [`${name}*=utf-8''${first}`]
    : [`${name}*0*=utf-8''${first}`, ...rest.map((piece, index) => `${name}*${index + 1}*=${piece}`)]
}
