import { compile } from "html-to-text"

/** The maximum number of converted characters of HTML: a long conversion would block the event loop. */
const maxInputLength = 1_000_000

/** The maximum number of opening and closing tags: every closing tag is searched for among all open ones. */
const maxTags = 30_000

export const plainTextOptions = {
  wordwrap: 78,
  limits: { maxDepth: 100, maxChildNodes: 10_000 },
  selectors: [{ selector: "img", format: "skip" }]
}

const convert = compile(plainTextOptions)

/** The part of a body within the limits. */
export const boundedHtml = (html: string): string => {
  const begin = html.slice(0, maxInputLength)
  const tag = /<\/?[a-z]/gi
  for (let count = 0, found = tag.exec(begin); found !== null; count += 1, found = tag.exec(begin)) {
    if (count === maxTags) return begin.slice(0, found.index)
  }
  return begin
}

/** The text alternative of an HTML body. */
export const plainText = (html: string): string => convert(boundedHtml(html))
