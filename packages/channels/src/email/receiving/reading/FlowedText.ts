const quoteDepth = (line: string): number => /^>*/.exec(line)?.[0].length ?? 0

/** A paragraph of flowed lines, or one fixed line, with its quote depth. */
interface Paragraph {
  readonly depth: number
  readonly lines: Array<string>
}

const signature = "-- "

/**
 * Unwraps `format=flowed` text (RFC 3676): a line that ends with a space continues in the next line of the same quote
 * depth, except the signature separator. `delSp` removes that space (section 4.1).
 */
export const unwrapFlowed = (text: string, delSp: boolean): string => {
  const paragraphs: Array<Paragraph> = []
  let open: Paragraph | null = null
  for (const line of text.split(/\r?\n/)) {
    const depth = quoteDepth(line)
    const content = line.slice(depth).replace(/^ /, "")
    const isFlowed = content.endsWith(" ") && content !== signature
    if (open === null || open.depth !== depth || content === signature) {
      open = { depth, lines: [] }
      paragraphs.push(open)
    }
    open.lines.push(isFlowed && delSp ? content.slice(0, -1) : content)
    if (!isFlowed) open = null
  }
  return paragraphs
    .map(({ depth, lines }) => {
      const content = lines.join("")
      return depth === 0 || content === "" ? ">".repeat(depth) + content : `${">".repeat(depth)} ${content}`
    })
    .join("\n")
}
