const lineLength = 76

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
