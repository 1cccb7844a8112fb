/** The length of the beginning of a mail that is searched for header fields, in octets. */
const maxHeaderOctets = 128 * 1024

/** The first header field of this name in a raw mail, unfolded (RFC 5322 section 2.2.3); empty if there is none. */
export const headerValue = (raw: Uint8Array, name: string): string => {
  const octets = Math.min(raw.byteLength, maxHeaderOctets)
  const start = Buffer.from(raw.buffer, raw.byteOffset, octets).toString("latin1")
  const end = start.indexOf("\r\n\r\n")
  const lines = (end < 0 ? start : start.slice(0, end)).replace(/\r\n(?=[ \t])/g, "").split("\r\n")
  const prefix = `${name.toLowerCase()}:`
  const line = lines.find((candidate) => candidate.toLowerCase().startsWith(prefix))
  return line === undefined ? "" : line.slice(prefix.length).trim()
}
