import { listId, maxHeaderWord } from "@switchboard/domain/messages/EmailHeaders"
import type { NamedAddress } from "@switchboard/services/messages/delivery/MailTransport"

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
const encodedWords = (text: string): ReadonlyArray<string> => {
  const characters = [...text]
  const octets = Buffer.byteLength(text)
  const qLength = characters.reduce((length, character) => length + qEncode(character).length, 0)
  return octets === text.length || qLength <= Math.ceil(octets / 3) * 4
    ? quotedWords(characters)
    : base64Words(characters)
}

/** In characters, for a line with encoded words (RFC 2047 section 2). Other lines may have 78 (RFC 5322 section 2.1.1). */
const maxFieldLine = 76

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
    if (length + 1 + token.length > maxFieldLine && (index > 0 || token.startsWith("=?"))) {
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

const maxTokenLength = 64
const atoms = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?: [A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/

/** A display name as atoms, a quoted string or encoded words: the first of them that preserves the name. */
const phrase = (name: string): ReadonlyArray<string> => {
  if (!isPlain(name)) return encodedWords(name)
  const tokens = name.split(" ")
  if (atoms.test(name) && tokens.every(({ length }) => length <= maxTokenLength)) return tokens
  const quoted = `"${name.replace(/["\\]/g, "\\$&")}"`
  return quoted.length <= maxTokenLength ? [quoted] : encodedWords(name)
}

/** Removes the characters that would end the address or inject another one. */
const addressText = (address: string) => address.replace(/[^!-~]|[<>,;]/g, "")

const mailbox = ({ address, name = "" }: NamedAddress): ReadonlyArray<string> => {
  const display = oneLine(name)
  return display.trim() === "" ? [addressText(address)] : [...phrase(display), `<${addressText(address)}>`]
}

/** A header field with a mailbox list; empty for an empty list. */
export const mailboxField = (name: string, mailboxes: ReadonlyArray<NamedAddress>): string =>
  mailboxes.length === 0
    ? ""
    : headerField(
        name,
        mailboxes.flatMap((one, index) => {
          const tokens = mailbox(one)
          return index === mailboxes.length - 1 ? tokens : [...tokens.slice(0, -1), `${tokens.at(-1)},`]
        })
      )

/** A List-Id header field (RFC 2919). The description is encoded as a display name. */
export const listIdField = (value: string): string => {
  const [, description = "", id = ""] = listId.exec(oneLine(value)) ?? []
  const name = description.trim().replace(/^"(.*)"$/, "$1")
  return headerField("List-Id", [...(name === "" ? [] : phrase(name)), `<${id}>`])
}
