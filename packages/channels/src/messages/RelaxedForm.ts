import { createHash } from "node:crypto"
import type { Body } from "../mime/Entity.js"

/** A header field in its relaxed form (RFC 6376 section 3.4.2), without the line's end. */
export const relaxedField = (field: string): string => {
  const colon = field.indexOf(":")
  const name = field.slice(0, colon).toLowerCase().trimEnd()
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .replace(/^ | $/g, "")
  return `${name}:${value}`
}

const relaxedText = (text: string): string => text.replace(/\t[ \t]*| [ \t]+/g, " ").replaceAll(" \r\n", "\r\n")

/** A body's end without empty lines and blanks, with a line break unless nothing is left. */
const relaxedEnd = (text: string): string => {
  let end = text.endsWith(" ") ? text.length - 1 : text.length
  while (text.endsWith("\r\n", end)) end -= 2
  return end === 0 ? "" : `${text.slice(0, end)}\r\n`
}

/** The hash of a body in its relaxed form (RFC 6376 section 3.4.4). Base64 is in that form already. */
export const relaxedBodyHash = (body: Body): string => {
  const hash = createHash("sha256")
  for (const [index, piece] of body.entries()) {
    const isLast = index === body.length - 1
    if (typeof piece === "string") {
      const text = relaxedText(piece)
      hash.update(isLast ? relaxedEnd(text) : text, "latin1")
    } else hash.update(piece)
  }
  if (Buffer.isBuffer(body.at(-1))) hash.update("\r\n")
  return hash.digest("base64")
}
