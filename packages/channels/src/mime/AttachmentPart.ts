import { fieldParts, parameterName } from "@switchboard/domain/MediaType"
import { AttachmentType } from "@switchboard/domain/messages/Attachment"
import type { StoredAttachment } from "@switchboard/services/messages/MessageRepo"
import type { Slices } from "@switchboard/services/Slices"
import { Schema } from "effect"
import { base64Pieces, type Entity } from "./Entity.js"
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

/** RFC 5322 section 2.1.1, without the CRLF. */
const longLine = /[^\r\n]{999}/

/** The content as text in CRLF lines (RFC 2046 section 4.1.1), an octet in each character. */
const textOf = (content: Uint8Array): string =>
  Buffer.from(content.buffer, content.byteOffset, content.byteLength)
    .toString("latin1")
    .replace(/\r\n?|\n/g, "\r\n")

/** The types of mail, which can be 8bit; the other types of `message/` are 7bit (RFC 2046 section 5.2). */
const mailType = /^message\/(?:rfc822|global)$/i

const hasEighthBit = (text: string) => /[\x80-\xff]/.test(text)

/** The content of a file with its type and encoding. */
interface EncodedFile extends Pick<Entity, "body"> {
  readonly type: string
  readonly encoding: "base64" | "7bit" | "8bit"
}

function* encodedFile(type: string, content: Uint8Array): Slices<EncodedFile> {
  return { type, encoding: "base64", body: yield* base64Pieces(content) }
}

/**
 * The content of a file with its type and encoding. `message/` is not encoded (RFC 2046 section 5.2.1): content that
 * needs an encoding is sent as application/octet-stream. So is `multipart/`, which would need its boundary.
 */
function* fileContent(type: string, content: Uint8Array): Slices<EncodedFile> {
  if (/^multipart\//i.test(type)) return yield* encodedFile("application/octet-stream", content)
  if (!/^message\//i.test(type)) return yield* encodedFile(type, content)
  const body = textOf(content)
  const isEightBit = hasEighthBit(body)
  return body.includes("\0") || longLine.test(body) || (isEightBit && !mailType.test(type))
    ? yield* encodedFile("application/octet-stream", content)
    : { type, encoding: isEightBit ? "8bit" : "7bit", body: [body] }
}

const isMediaType = Schema.is(AttachmentType)

const isCalendar = (type: string) => /^text\/calendar$/i.test(type)

const hasParameter = (parameters: ReadonlyArray<string>, name: string) =>
  parameters.some((parameter) => parameterName(parameter) === name)

/** The type of a file, and its parameters except for the name, which is that of the file. */
const typeParts = (contentType: string): readonly [string, ...Array<string>] => {
  if (!isMediaType(contentType)) return ["application/octet-stream"]
  const [type, ...parameters] = fieldParts(contentType)
  const given = parameters.filter((parameter) => !/^name(?:\*|$)/.test(parameterName(parameter)))
  // iCalendar is UTF-8 by default (RFC 5545 section 3.1.4), and a text part ASCII.
  return isCalendar(type) && !hasParameter(given, "charset") ? [type, ...given, "charset=utf-8"] : [type, ...given]
}

/** A field with parameters, separated by semicolons. */
const parameterizedField = (name: string, value: string, parameters: ReadonlyArray<string>) =>
  headerField(
    name,
    [value, ...parameters].map((part, index) => (index < parameters.length ? `${part};` : part))
  )

/** Whether the HTML can refer to the file by its Content-ID (RFC 2387). Mail readers append an inline text to the body. */
export const isInlineFile = ({ contentId, contentType }: StoredAttachment): boolean =>
  contentId !== null && !/^text\//i.test(contentType)

/**
 * Whether the file is an invitation, or an answer to one: mail readers expect it among the alternatives of the body
 * (RFC 6047 section 2.4).
 */
export const isInvitation = ({ contentType }: StoredAttachment): boolean => {
  const [type, ...parameters] = typeParts(contentType)
  return isCalendar(type) && hasParameter(parameters, "method")
}

/** The MIME entity of an attachment. */
export function* attachmentPart(
  { content, contentId, contentType, filename }: StoredAttachment,
  disposition: "inline" | "attachment"
): Slices<Entity> {
  const [given, ...parameters] = typeParts(contentType)
  const { body, encoding, type } = yield* fileContent(given, content)
  return {
    header: [
      parameterizedField("Content-Type", type, [...(type === given ? parameters : []), ...parameter("name", filename)]),
      parameterizedField("Content-Disposition", disposition, parameter("filename", filename)),
      ...(contentId === null ? [] : [headerField("Content-ID", [`<${contentId.replace(/[^!-~]|[<>]/g, "")}>`])]),
      headerField("Content-Transfer-Encoding", [encoding])
    ].join(""),
    body,
    isEightBit: encoding === "8bit"
  }
}
