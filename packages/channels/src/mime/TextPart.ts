import { base64Lines } from "./Base64Lines.js"
import type { Entity } from "./Entity.js"
import { quotedPrintable } from "./QuotedPrintable.js"

const maxLineLength = 78

/** Whether every mail server preserves the text: ASCII, short lines, no trailing white space, no line with `From `. */
const is7bit = (text: string): boolean => {
  if (/[^\t\r\n -~]/.test(text) || text.includes("=_")) return false
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf("\r\n", start)
    const end = found === -1 ? text.length : found
    const last = text.charCodeAt(end - 1)
    if (end - start > maxLineLength || (end > start && (last === 9 || last === 32))) return false
    if (text.startsWith("From ", start)) return false
    start = end + 2
  }
  return true
}

/** Whether quoted-printable is shorter than base64: at most one octet in six must be encoded. */
const isMostlyAscii = (octets: Buffer): boolean => {
  let encoded = 0
  for (const octet of octets) if (octet > 126 || octet === 61) encoded++
  return encoded * 6 <= octets.length
}

/** A text part in 7bit if possible, else in the shorter of quoted-printable and base64. Line breaks become CRLF. */
export const textPart = (subtype: "plain" | "html", content: string): Entity => {
  const text = content.replace(/\r\n?|\n/g, "\r\n")
  const entity = (encoding: string, body: string | Buffer): Entity => ({
    header: `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: ${encoding}\r\n`,
    body: [body]
  })
  if (is7bit(text)) return entity("7bit", text)
  const octets = Buffer.from(text)
  return isMostlyAscii(octets)
    ? entity("quoted-printable", quotedPrintable(octets))
    : entity("base64", base64Lines(octets))
}
