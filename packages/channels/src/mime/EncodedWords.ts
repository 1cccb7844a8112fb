/**
 * Characters of an encoded word. RFC 2047 section 2 allows 75; with fewer, the first word stands in one line with the
 * name of every usual header field.
 */
const maxWord = 64
const payload = maxWord - "=?UTF-8?Q??=".length

/** The characters that stand for themselves in the Q encoding of every header field (RFC 2047 section 5 (3)). */
const isSafe = (character: string) => /^[A-Za-z0-9!*+/-]$/.test(character)

const octet = (value: number) => `=${value < 16 ? "0" : ""}${value.toString(16).toUpperCase()}`

const quoted = (character: string): string =>
  isSafe(character) ? character : character === " " ? "_" : Array.from(Buffer.from(character), octet).join("")

const quotedWords = (characters: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word = ""
  for (const character of characters) {
    const piece = quoted(character)
    if (word.length + piece.length > payload) {
      words.push(`=?UTF-8?Q?${word}?=`)
      word = ""
    }
    word += piece
  }
  return [...words, `=?UTF-8?Q?${word}?=`]
}

const base64Word = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`
const maxOctets = Math.floor(payload / 4) * 3

const base64Words = (characters: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word = ""
  let octets = 0
  for (const character of characters) {
    const length = Buffer.byteLength(character)
    if (octets + length > maxOctets) {
      words.push(base64Word(word))
      word = ""
      octets = 0
    }
    word += character
    octets += length
  }
  return [...words, base64Word(word)]
}

/**
 * A text as encoded words (RFC 2047) in the shorter of the two encodings, ASCII always in Q: filters take ASCII in base64
 * for disguised. Each word holds complete characters. White space between two words is not part of the text.
 */
export const encodedWords = (text: string): ReadonlyArray<string> => {
  const characters = [...text]
  const octets = Buffer.byteLength(text)
  const asQuoted = characters.reduce((length, character) => length + quoted(character).length, 0)
  return octets === text.length || asQuoted <= Math.ceil(octets / 3) * 4
    ? quotedWords(characters)
    : base64Words(characters)
}
