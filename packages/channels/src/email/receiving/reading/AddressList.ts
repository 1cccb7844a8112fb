import type { HeaderAddress } from "@switchboard/services/email/receiving/ReadMail"
import { decodeWords, headerText } from "./MailText.js"
import { quotedEnd, trimBlanks } from "./MimeHeader.js"

type TokenKind = "text" | "quoted" | "comment" | "angle" | "separator"

interface Token {
  readonly kind: TokenKind
  /** Without quotes and brackets. */
  readonly value: string
}

/** A piece of an address list; `end` is the position after it. */
interface Piece extends Token {
  readonly end: number
}

/** The position after the comment at `start`, which can contain comments; -1 if it is not closed. */
const commentEnd = (text: string, start: number): number => {
  for (let at = start, depth = 0; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === "(") depth++
    else if (text[at] === ")" && --depth === 0) return at + 1
  }
  return -1
}

/** An address in angle brackets, which may be doubled. A missing bracket ends at the next mailbox. */
const anglePiece = (text: string, start: number): Piece => {
  let at = start
  while (text[at] === "<" || text[at] === " ") at++
  const from = at
  // The commas of a source route: `<@one.example,@two.example:ada@example.com>`.
  const isRoute = text[at] === "@"
  while (at < text.length && text[at] !== ">" && text[at] !== "<") {
    if (!isRoute && (text[at] === "," || text[at] === ";")) break
    const quoteEnd = text[at] === '"' ? quotedEnd(text.slice(0, at + 1_000), at) : -1
    at = quoteEnd > 0 ? quoteEnd : at + 1
  }
  const value = text.slice(from, at)
  while (text[at] === ">") at++
  return { kind: "angle", value: isRoute ? value.slice(value.indexOf(":") + 1) : value, end: at }
}

const encodedWord = /=\?[^?\s]{1,80}\?[bq]\?[^?]{0,1000}\?=/iy
const plainRun = /[^"(<,;:=]+|=/y

/** Splits an address list (RFC 5322 section 3.4). A quote or parenthesis that is not closed is text. */
const tokens = function* (text: string): Generator<Token> {
  let at = 0
  let hasQuotes = true
  let hasComments = true
  while (at < text.length) {
    const char = text[at]
    if (char === '"' && hasQuotes) {
      const end = quotedEnd(text, at)
      if (end > 0) yield { kind: "quoted", value: text.slice(at + 1, end - 1).replace(/\\(.)/gs, "$1") }
      else hasQuotes = false
      at = end > 0 ? end : at + 1
    } else if (char === "(" && hasComments) {
      const end = commentEnd(text, at)
      if (end > 0) yield { kind: "comment", value: text.slice(at + 1, end - 1) }
      else hasComments = false
      at = end > 0 ? end : at + 1
    } else if (char === "<") {
      const piece = anglePiece(text, at)
      yield piece
      at = Math.max(piece.end, at + 1)
    } else if (char === "," || char === ";" || char === ":") {
      yield { kind: "separator", value: char }
      at++
    } else {
      encodedWord.lastIndex = at
      plainRun.lastIndex = at
      const value = (encodedWord.exec(text) ?? plainRun.exec(text))?.[0] ?? text.slice(at, at + 1)
      yield { kind: "text", value }
      at += value.length
    }
  }
}

/** Removes comments, and the white space of a folded address. A space within a local part stays, and is invalid. */
const plainAddress = (text: string): string => {
  const address = trimBlanks(text.replace(/\([^()]*\)/g, ""))
  const at = address.lastIndexOf("@")
  if (at < 0) return address
  const local = trimBlanks(address.slice(0, at)).replace(/^(?:mailto:|['[]\s?)/i, "")
  const domain = address.slice(at + 1).replace(/\s+/g, "")
  return `${local}@${domain.replace(/['\].]$/, "")}`
}

// The lookbehind skips positions within a word: without it a long word without an at sign takes quadratic time.
const bareAddress =
  /(?:"[^"]{1,64}"|(?<![^\s"<>()[\],;:@'])[^\s"<>()[\],;:@'][^\s"<>()[\],;:@]*)[ \t]?@[ \t]?[^\s"<>()[\],;:']+/

/** A mailbox, or the text of an entry without an address. */
interface Entry {
  readonly name: string
  readonly address: string
  readonly isInBrackets: boolean
}

/** The display name: the text beside the address, or the first comment. */
const nameOf = (entry: ReadonlyArray<Token>, address: string): string => {
  const text = entry.flatMap(({ kind, value }) => (kind === "quoted" || kind === "text" ? value : [])).join("")
  const name = trimBlanks(text.replace(address.replaceAll('"', ""), "").replace(/\[\s?\]|<\s?>|^\s?''?\s?$/g, ""))
  return name === "" ? (entry.find(({ kind, value }) => kind === "comment" && value !== address)?.value ?? "") : name
}

const entryOf = (entry: ReadonlyArray<Token>): Entry => {
  const valuesOf = (sought: TokenKind) => entry.flatMap(({ kind, value }) => (kind === sought ? value : []))
  const inBrackets = valuesOf("angle").map(plainAddress)
  const address = inBrackets.find((one) => one.includes("@"))
  if (address !== undefined) return { name: nameOf(entry, ""), address, isInBrackets: true }
  const text = entry
    .flatMap(({ kind, value }) => (kind === "quoted" ? `"${value}"` : kind === "text" ? value : []))
    .join("")
  // `Ada (ada@example.com)`
  const bare = bareAddress.exec(text)?.[0] ?? bareAddress.exec(valuesOf("comment").join(" "))?.[0]
  if (bare === undefined) {
    const [local = ""] = inBrackets
    return { name: nameOf(entry, ""), address: local, isInBrackets: local !== "" }
  }
  // `<Ada Lovelace> ada@example.com`
  const name = nameOf(entry, bare) || valuesOf("angle").join(" ")
  return { name, address: plainAddress(bare), isInBrackets: false }
}

/** The entries of a list. The text before a colon is the name of a group. */
const entries = (list: string): ReadonlyArray<Entry> => {
  const found: Array<Entry> = []
  let entry: Array<Token> = []
  for (const token of tokens(list)) {
    if (token.kind !== "separator") entry.push(token)
    else {
      if (token.value !== ":" || entry.some(({ kind }) => kind === "angle")) found.push(entryOf(entry))
      entry = []
    }
  }
  return [...found, entryOf(entry)]
}

/**
 * The mailboxes of an address list of octets, group members included. A name with a comma and without quotes
 * (`Lovelace, Ada <ada@example.com>`) is one name.
 */
export const addressList = (list: string, fallbackCharset = ""): ReadonlyArray<HeaderAddress> => {
  const found: Array<HeaderAddress> = []
  let names: Array<string> = []
  for (const { address, isInBrackets, name } of entries(list)) {
    if (name !== "") names.push(name)
    if (address === "") continue
    found.push({
      name: headerText(decodeWords(isInBrackets ? names.join(", ") : name, fallbackCharset), 1_000),
      address: headerText(decodeWords(address, fallbackCharset))
    })
    names = []
  }
  if (found.length > 0) return found.filter(({ address }) => address !== "" && address.length <= 320)
  // Some programs encode the complete field, with the address.
  const decoded = Buffer.from(decodeWords(list, fallbackCharset)).toString("latin1")
  return decoded.length < list.length && decoded.includes("@") ? addressList(decoded) : []
}
