import { createHash } from "node:crypto"

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

const relaxedLine = (line: string): string => line.replace(/[ \t]+/g, " ").replace(/ $/, "")

/**
 * Hashes a body in its relaxed form (RFC 6376 section 3.4.4), piece by piece. Lines end where they will on the wire: the
 * SMTP client makes a proper line end of a lone CR or LF.
 */
export const relaxedBodyHash = () => {
  const hash = createHash("sha256")
  let rest = ""
  let empty = 0
  const add = (line: string) => {
    const relaxed = relaxedLine(line)
    if (relaxed === "") empty += 1
    else {
      // Empty lines count unless the body ends with them.
      hash.update(`${"\r\n".repeat(empty)}${relaxed}\r\n`, "latin1")
      empty = 0
    }
  }
  return {
    update: (piece: Buffer) => {
      const text = rest + piece.toString("latin1")
      // A CR at the end may be half of a line's end.
      const whole = Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r", text.length - 2)) + 1
      rest = text.slice(whole)
      const lines = text.slice(0, whole).split(/\r\n|\r|\n/)
      for (const line of lines.slice(0, -1)) add(line)
    },
    digest: (): string => {
      for (const line of rest.split(/\r\n|\r|\n/)) add(line)
      return hash.digest("base64")
    }
  }
}
