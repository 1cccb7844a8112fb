import { headerField } from "./HeaderField.js"

/**
 * Pieces of ASCII text: strings, and octets of base64. No line has more than 998 characters, and no line break stands
 * between a CR and its LF. The body of a part has no line break of its own at the end.
 */
export type Body = ReadonlyArray<string | Buffer>

/** A MIME entity (RFC 2045 section 2.4): the header fields that describe it, and its body. */
export interface Entity {
  readonly header: string
  readonly body: Body
}

/** Adjacent strings as one. */
const joined = (pieces: Body): Body => {
  const body: Array<string | Buffer> = []
  for (const piece of pieces) {
    const last = body.at(-1)
    if (typeof piece === "string" && typeof last === "string") body[body.length - 1] = last + piece
    else body.push(piece)
  }
  return body
}

/** Several entities as one (RFC 2046 section 5.1); a single one stays as it is. */
export const multipart = (
  subtype: "mixed" | "alternative" | "related",
  id: string,
  parts: readonly [Entity, ...ReadonlyArray<Entity>],
  parameters: ReadonlyArray<string> = []
): Entity => {
  if (parts.length === 1) return parts[0]
  // Neither quoted-printable nor base64 has "=_" in it.
  const boundary = `=_${subtype}_${id}`
  return {
    header: headerField("Content-Type", [
      `multipart/${subtype};`,
      ...parameters.map((parameter) => `${parameter};`),
      `boundary="${boundary}"`
    ]),
    body: joined([
      ...parts.flatMap(({ body, header }, index) => [
        `${index === 0 ? "" : "\r\n"}--${boundary}\r\n${header}\r\n`,
        ...body
      ]),
      `\r\n--${boundary}--\r\n`
    ])
  }
}
