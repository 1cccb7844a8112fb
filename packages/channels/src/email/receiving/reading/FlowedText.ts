const signature = "-- "

/**
 * Unwraps `format=flowed` text (RFC 3676): a line that ends with a space continues in the next line of the same quote
 * depth, except the signature separator. `delSp` removes that space (section 4.1).
 */
export const unwrapFlowed = (text: string, delSp: boolean): string => {
  const unwrapped: Array<string> = []
  /** The quote depth of the paragraph that continues; -1 if none does. */
  let openDepth = -1
  let isEmpty = true
  for (let at = 0; at <= text.length; ) {
    const lineEnd = text.indexOf("\n", at)
    const line = text.slice(at, lineEnd < 0 ? text.length : lineEnd).replace(/\r$/, "")
    at = lineEnd < 0 ? text.length + 1 : lineEnd + 1
    const depth = /^>*/.exec(line)?.[0].length ?? 0
    const content = line.slice(depth).replace(/^ /, "")
    const isFlowed = content.endsWith(" ") && content !== signature
    const added = isFlowed && delSp ? content.slice(0, -1) : content
    if (openDepth !== depth || content === signature) {
      if (unwrapped.length > 0) unwrapped.push("\n")
      unwrapped.push(">".repeat(depth))
      isEmpty = true
    }
    if (added !== "") {
      unwrapped.push(isEmpty && depth > 0 ? " " : "", added)
      isEmpty = false
    }
    openDepth = isFlowed ? depth : -1
  }
  return unwrapped.join("")
}
