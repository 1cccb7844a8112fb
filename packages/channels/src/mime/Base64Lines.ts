const lineLength = 76

/** Octets as base64 in lines of 76 characters, without a line break at the end. */
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
