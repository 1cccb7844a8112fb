/**
 * Maximum length of an encoded word. RFC 2047 section 2 allows 75; with 64 the first word fits on the line of its field
 * name.
 */
const maxWordLength = 64
const maxPayload = maxWordLength - "=?UTF-8?Q??=".length

/** The characters that the Q encoding leaves unencoded in every context (RFC 2047 section 5 (3)). */
const isSafe = (character: string) => /^[A-Za-z0-9!*+/-]$/.test(character)

const hexOctet = (value: number) => `=${value < 16 ? "0" : ""}${value.toString(16).toUpperCase()}`

const qEncode = (character: string): string =>
  isSafe(character) ? character : character === " " ? "_" : Array.from(Buffer.from(character), hexOctet).join("")

const quotedWords = (characters: ReadonlyArray<string>): ReadonlyArray<string> => {
  const words: Array<string> = []
  let word = ""
  for (const character of characters) {
    const piece = qEncode(character)
    if (word.length + piece.length > maxPayload) {
      words.push(`=?UTF-8?Q?${word}?=`)
      word = ""
    }
    word += piece
  }
  return [...words, `=?UTF-8?Q?${word}?=`]
}

const base64Word = (text: string) => `=?UTF-8?B?${Buffer.from(text).toString("base64")}?=`
const maxOctets = Math.floor(maxPayload / 4) * 3

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
 * Encodes a text as encoded words (RFC 2047) in the shorter of Q and B; ASCII always in Q, because spam filters penalize
 * ASCII in base64. No character is split between words. White space between two words is not part of the text.
 */
export const encodedWords = (text: string): ReadonlyArray<string> => {
  const characters = [...text]
  const octets = Buffer.byteLength(text)
  const qLength = characters.reduce((length, character) => length + qEncode(character).length, 0)
  return octets === text.length || qLength <= Math.ceil(octets / 3) * 4
    ? quotedWords(characters)
    : base64Words(characters)
}
