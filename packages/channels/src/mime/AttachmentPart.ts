import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import { base64Lines } from "./Base64Lines.js"
import type { Entity } from "./Entity.js"
import { headerField, isPlain, oneLine } from "./HeaderField.js"

const maxValueLength = 60
const token = /^[A-Za-z0-9!#$&+.^_`{|}~-]+$/

const percentEncode = (character: string): string =>
  token.test(character)
    ? character
    : Array.from(
        Buffer.from(character),
        (octet) => `%${octet < 16 ? "0" : ""}${octet.toString(16).toUpperCase()}`
      ).join("")

/** The percent-encoded value, split between characters. */
const encodedSegments = (value: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let piece = ""
  for (const character of value) {
    const next = percentEncode(character)
    if (piece.length + next.length > maxValueLength) {
      found.push(piece)
      piece = ""
    }
    piece += next
  }
  return [...found, piece]
}

/**
 * A parameter of a header field: a token or quoted string if every mail reader parses it, else percent-encoded, and split
 * into continuations if it is long (RFC 2231).
 */
const parameter = (name: string, value: string): ReadonlyArray<string> => {
  const text = oneLine(value)
  if (text.length <= maxValueLength && token.test(text)) return [`${name}=${text}`]
  if (text.length <= maxValueLength && isPlain(text) && !/["\\%]/.test(text)) return [`${name}="${text}"`]
  const [first = "", ...rest] = encodedSegments(text)
  return rest.length === 0
    ? [`${name}*=utf-8''${first}`]
    : [`${name}*0*=utf-8''${first}`, ...rest.map((piece, index) => `${name}*${index + 1}*=${piece}`)]
}

const maxLineLength = 998
const CR = 13
const LF = 10

/** Whether the content is 7bit data (RFC 2045 section 2.7): ASCII in CRLF lines of at most 998 octets. */
const is7bit = (content: Uint8Array): boolean => {
  let line = 0
  for (let at = 0; at < content.length; at++) {
    const octet = content[at] ?? 0
    if (octet === CR && content[at + 1] === LF) {
      at++
      line = 0
    } else if (octet === 0 || octet === CR || octet === LF || octet > 127 || ++line > maxLineLength) {
      return false
    }
  }
  return true
}

/**
 * The Content-Type of an attachment. message/rfc822 (RFC 2046 section 5.2.1) and multipart (section 5.1) must not be
 * base64, so a file that is not 7bit is sent as application/octet-stream under its name.
 */
const fileType = (contentType: string, content: Uint8Array): string => {
  const isMail = /^message\//i.test(contentType)
  const isParts = /^multipart\//i.test(contentType)
  return isParts || (isMail && !is7bit(content)) ? "application/octet-stream" : contentType
}

const mediaType = /^[\w.+-]+\/[\w.+-]+$/

/** A field with parameters, separated by semicolons. */
const parameterizedField = (name: string, value: string, parameters: ReadonlyArray<string>) =>
  headerField(
    name,
    [value, ...parameters].map((part, index) => (index < parameters.length ? `${part};` : part))
  )

/** Whether the HTML can refer to the file by its Content-ID (RFC 2387). Mail readers append an inline text to the body. */
export const isInlineFile = ({ contentId, contentType }: StoredAttachment): boolean =>
  contentId !== null && !/^text\//i.test(contentType)

/** The MIME entity of an attachment. */
export const attachmentPart = (
  { content, contentId, contentType, filename }: StoredAttachment,
  disposition: "inline" | "attachment"
): Entity => {
  const type = mediaType.test(contentType) ? fileType(contentType, content) : "application/octet-stream"
  const isMail = /^message\//i.test(type)
  return {
    header: [
      parameterizedField("Content-Type", type, parameter("name", filename)),
      parameterizedField("Content-Disposition", disposition, parameter("filename", filename)),
      ...(contentId === null ? [] : [headerField("Content-ID", [`<${contentId.replace(/[^!-~]|[<>]/g, "")}>`])]),
      headerField("Content-Transfer-Encoding", [isMail ? "7bit" : "base64"])
    ].join(""),
    // RFC 2046 section 5.2.1: message/rfc822 is not encoded.
    body: [
      isMail
        ? Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("latin1")
        : base64Lines(content)
    ]
  }
}
