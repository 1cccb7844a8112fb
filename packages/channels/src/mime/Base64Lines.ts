import { type Slices, sliceBytes } from "@switchboard/services/NextTurn"

const lineLength = 76

/** Octets that a slice encodes, in complete lines. */
const sliceOctets = Math.floor(sliceBytes / 57) * 57

const lineBreak = Buffer.from("\r\n")

/** Encodes octets as base64 in CRLF lines of 76 characters (RFC 2045 section 6.8), without a final CRLF. */
export const base64Lines = (content: Uint8Array): Buffer => {
  const encoded = Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString("base64")
  const breaks = Math.max(0, Math.ceil(encoded.length / lineLength) - 1)
  const lines = Buffer.allocUnsafe(encoded.length + breaks * 2)
  let to = 0
  for (let from = 0; from < encoded.length; from += lineLength) {
    if (from > 0) to += lines.write("\r\n", to, "latin1")
    to += lines.write(encoded.slice(from, from + lineLength), to, "latin1")
  }
  return lines
}

/** Encodes octets as `base64Lines` does, in several pieces if they are many. */
export function* base64Pieces(content: Uint8Array): Slices<ReadonlyArray<Buffer>> {
  const pieces = [base64Lines(content.subarray(0, sliceOctets))]
  for (let at = sliceOctets; at < content.byteLength; at += sliceOctets) {
    yield
    pieces.push(lineBreak, base64Lines(content.subarray(at, at + sliceOctets)))
  }
  return pieces
}
