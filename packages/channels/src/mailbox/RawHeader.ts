/** Headers end within this; a mail that has more is not one of ours. */
const longestHeader = 128 * 1024

/** The first header of this name in a raw mail, unfolded (RFC 5322 section 2.2.3); empty if there is none. */
export const headerValue = (raw: Buffer, name: string): string => {
  const header = raw.subarray(0, longestHeader).toString("latin1")
  for (const line of header
    .slice(0, Math.max(header.indexOf("\r\n\r\n"), 0))
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")) {
    const colon = line.indexOf(":")
    if (line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim()
  }
  return ""
}
