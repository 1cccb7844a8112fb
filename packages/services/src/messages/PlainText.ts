import { compile } from "html-to-text"

/** What the alternative part of a very long mail is cut at: a text that nobody reads must not hold the process. */
const longestInput = 1_000_000

/** And at so many tags: each one that is opened and never closed makes the next one cost more. */
const mostTags = 20_000

const convert = compile({
  wordwrap: 78,
  limits: { maxDepth: 100, maxChildNodes: 10_000 },
  selectors: [{ selector: "img", format: "skip" }]
})

/** As much of a body as is looked at. */
const bounded = (html: string): string => {
  const begin = html.slice(0, longestInput)
  const tag = /<[a-z]/gi
  for (let count = 0; tag.test(begin); count += 1) {
    if (count === mostTags) return begin.slice(0, tag.lastIndex - 2)
  }
  return begin
}

/** The text of an HTML body, for readers that show no HTML. */
export const plainText = (html: string): string => convert(bounded(html))
