/** Headers end within this; a mail that has more is not one of ours. */
const longestHeader = 128 * 1024

/** The first header of this name in a raw mail, unfolded (RFC 5322 section 2.2.3); empty if there is none. */
export const headerValue = (raw: Buffer, name: string): string => {
  const start = raw.subarray(0, longestHeader).toString("latin1")
  const end = start.indexOf("\r\n\r\n")
  const lines = (end < 0 ? start : start.slice(0, end)).replace(/\r\n(?=[ \t])/g, "").split("\r\n")
  const prefix = `${name.toLowerCase()}:`
  const line = lines.find((candidate) => candidate.toLowerCase().startsWith(prefix))
  return line === undefined ? "" : line.slice(prefix.length).trim()
}
