import { compile } from "html-to-text"

/** What the alternative part of a very long mail is cut at: a text that nobody reads must not hold the process. */
const longestInput = 1_000_000

/** And at so many tags, opening and closing: each is looked for among all that are open, and a stranger closes none. */
const mostTags = 30_000

const convert = compile({
  wordwrap: 78,
  limits: { maxDepth: 100, maxChildNodes: 10_000 },
  selectors: [{ selector: "img", format: "skip" }]
})

/** As much of a body as is looked at. */
const bounded = (html: string): string => {
  const begin = html.slice(0, longestInput)
  const tag = /<\/?[a-z]/gi
  for (let count = 0, found = tag.exec(begin); found !== null; count += 1, found = tag.exec(begin)) {
    if (count === mostTags) return begin.slice(0, found.index)
  }
  return begin
}

/** The text of an HTML body, for readers that show no HTML. */
export const plainText = (html: string): string => convert(bounded(html))
