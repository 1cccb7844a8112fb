import { compile } from "html-to-text"

/** What the alternative part of a very long mail is cut at: a text that nobody reads must not hold the process. */
const longestInput = 1_000_000

const convert = compile({
  wordwrap: 78,
  limits: { maxInputLength: longestInput, maxDepth: 100, maxChildNodes: 10_000 },
  selectors: [{ selector: "img", format: "skip" }]
})

/** The text of an HTML body, for readers that show no HTML. */
export const plainText = (html: string): string => convert(html)
