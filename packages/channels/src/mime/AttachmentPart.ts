import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import { base64Lines } from "./Base64Lines.js"
import type { Entity } from "./Entity.js"
import { headerField, isPlain, oneLine } from "./HeaderField.js"

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
const parameter = (name: string, value: string): ReadonlyArray<string> => {
  const text = oneLine(value)
  if (text.length <= maxValue && token.test(text)) return [`${name}=${text}`]
  if (text.length <= maxValue && isPlain(text) && !/["\\%]/.test(text)) return [`${name}="${text}"`]
  const [first = "", ...rest] = pieces(text)
  return rest.length === 0
    ? [`${name}*=utf-8''${first}`]
    : [`${name}*0*=utf-8''${first}`, ...rest.map((piece, index) => `${name}*${index + 1}*=${piece}`)]
}

const lineLimit = 998
const CR = 13
const LF = 10

/** Whether SMTP carries these octets as they are: seven bits, lines of at most 998 octets, each ended by CR LF. */
const passesPlain = (content: Uint8Array): boolean => {
  let line = 0
  for (let at = 0; at < content.length; at++) {
    const octet = content[at] ?? 0
    if (octet === CR && content[at + 1] === LF) {
      at++
      line = 0
    } else if (octet === 0 || octet === CR || octet === LF || octet > 127 || ++line > lineLimit) {
      return false
    }
  }
  return true
}

/**
 * The type that a file goes out with. A mail (RFC 2046, 5.2.1) and what consists of parts (5.1) must not be encoded
 * on its way, so what could not pass unencoded is brought as octets, which its name still tells apart.
 */
const fileType = (contentType: string, content: Uint8Array): string => {
  const isMail = /^message\//i.test(contentType)
  const isParts = /^multipart\//i.test(contentType)
  return isParts || (isMail && !passesPlain(content)) ? "application/octet-stream" : contentType
}

const mediaType = /^[\w.+-]+\/[\w.+-]+$/

/** Each parameter but the last one is followed by a semicolon. */
const described = (name: string, value: string, parameters: ReadonlyArray<string>) =>
  headerField(
    name,
    [value, ...parameters].map((part, index) => (index < parameters.length ? `${part};` : part))
  )

/** A file with a Content-ID can be shown where the HTML names it (RFC 2387). Readers would add a text to the body. */
export const isShown = ({ contentId, contentType }: StoredAttachment): boolean =>
  contentId !== null && !/^text\//i.test(contentType)

/** An attached file. */
export const attachmentPart = (
  { content, contentId, contentType, filename }: StoredAttachment,
  disposition: "inline" | "attachment"
): Entity => {
  const type = mediaType.test(contentType) ? fileType(contentType, content) : "application/octet-stream"
  const isMail = /^message\//i.test(type)
  return {
    header: [
      described("Content-Type", type, parameter("name", filename)),
      described("Content-Disposition", disposition, parameter("filename", filename)),
      ...(contentId === null ? [] : [headerField("Content-ID", [`<${contentId.replace(/[^!-~]|[<>]/g, "")}>`])]),
      headerField("Content-Transfer-Encoding", [isMail ? "7bit" : "base64"])
    ].join(""),
    // RFC 2046 section 5.2.1: a mail as an attachment is not encoded.
    body: [
      isMail
        ? Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1")
        : base64Lines(content)
    ]
  }
}
