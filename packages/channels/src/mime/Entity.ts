import { headerField } from "./HeaderField.js"

/**
 * A body in pieces: strings with an octet in each character, and buffers of base64. Lines have at most 998 characters, no piece ends between CR and
 * LF, and the body of a part has no final CRLF.
 */
export type Body = ReadonlyArray<string | Buffer>

/** A MIME entity (RFC 2045 section 2.4): its MIME header fields and its body. */
export interface Entity {
  readonly header: string
  readonly body: Body
  /** Whether the body has octets beyond ASCII. */
  readonly isEightBit?: boolean
}

/** Joins adjacent strings. */
const joinStrings = (pieces: Body): Body => {
  const body: Array<string | Buffer> = []
  for (const piece of pieces) {
    const last = body.at(-1)
    if (typeof piece === "string" && typeof last === "string") body[body.length - 1] = last + piece
    else body.push(piece)
  }
  return body
}

/** A multipart entity (RFC 2046 section 5.1); a single part is returned unchanged. */
export const multipart = (
  subtype: "mixed" | "alternative" | "related",
  id: string,
  parts: readonly [Entity, ...ReadonlyArray<Entity>],
  parameters: ReadonlyArray<string> = []
): Entity => {
  if (parts.length === 1) return parts[0]
  // "=_" never occurs in quoted-printable or base64 (RFC 2045 section 6.7).
  const boundary = `=_${subtype}_${id}`
  const isEightBit = parts.some((part) => part.isEightBit)
  return {
    header: [
      headerField("Content-Type", [
        `multipart/${subtype};`,
        ...parameters.map((parameter) => `${parameter};`),
        `boundary="${boundary}"`
      ]),
      // RFC 2045 section 6.4: the encoding of a multipart is that of its parts.
      isEightBit ? headerField("Content-Transfer-Encoding", ["8bit"]) : ""
    ].join(""),
    isEightBit,
    body: joinStrings([
      ...parts.flatMap(({ body, header }, index) => [
        `${index === 0 ? "" : "\r\n"}--${boundary}\r\n${header}\r\n`,
        ...body
      ]),
      `\r\n--${boundary}--\r\n`
    ])
  }
}
