import { compile, type DomNode, type FormatCallback, type FormatOptions } from "html-to-text"

/** The maximum number of converted characters of HTML: a long conversion would block the event loop. */
const maxInputLength = 1_000_000

/** The maximum number of opening and closing tags: every closing tag is searched for among all open ones. */
const maxTags = 30_000

/** Elements of their own lines that the library adds to the line before. */
const lineElements = [
  ...["address", "caption", "center", "dd", "details", "dl", "dt", "fieldset", "figcaption", "figure", "legend", "li"],
  ...["option", "summary", "td", "th"]
]

/** Elements that make the content of a cell more than one line. */
const blockElements = new Set([
  ...lineElements,
  ...["article", "aside", "blockquote", "br", "div", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header"],
  ...["hr", "main", "nav", "ol", "p", "pre", "section", "table", "tr", "ul"]
])

/** Elements that mail programs do not show, such as the text of a preview; see `isHidden`. */
const hiddenElements = ["[hidden]", '[style*="display:none" i]', '[style*="display: none" i]']

const isHidden = ({ attribs }: DomNode) =>
  attribs !== undefined && ("hidden" in attribs || /display: ?none/i.test(attribs.style ?? ""))

const isText = ({ data, type }: DomNode) => type === "text" && /\S/.test(data ?? "")

/** The content of a cell, without the paragraph or the `div` without attributes that is all of it. */
const cellContent = (cell: DomNode): Array<DomNode> => {
  let nodes = cell.children
  for (;;) {
    const [only, ...more] = nodes.filter((node) => node.type === "tag" || isText(node))
    const isWrapper = only?.name === "p" || (only?.name === "div" && Object.keys(only.attribs).length === 0)
    if (only === undefined || !isWrapper || more.length > 0) return nodes
    nodes = only.children
  }
}

/** How many lines of text nodes have. The search ends at a cell in a cell, so that it is linear over a document. */
const linesOf = (nodes: ReadonlyArray<DomNode>): "none" | "one" | "several" => {
  let found: "none" | "one" = "none"
  const open = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (isHidden(node)) continue
    if (node.type === "tag" && blockElements.has(node.name ?? "")) return "several"
    if (node.name === "a" || isText(node)) found = "one"
    for (const child of node.children ?? []) open.push(child)
  }
  return found
}

/** A row is a line, with three spaces between its cells. A cell of several lines, as of a layout, has lines of its own. */
const row: FormatCallback = (element, walk, builder) => {
  builder.openBlock({ leadingLineBreaks: 1 })
  /** Cells since the last text of the line; null at its begin. */
  let cells: number | null = null
  for (const node of element.children) {
    if (isHidden(node)) continue
    const isCell = node.name === "td" || node.name === "th"
    const content = isCell ? cellContent(node) : [node]
    const lines = linesOf(content)
    if (isCell && cells !== null) cells += 1
    if (lines === "several") {
      walk([node], builder)
      cells = null
    } else if (lines === "one") {
      if (cells !== null && cells > 0) {
        builder.addInline(" ")
        builder.addLiteral(" ".repeat(3 * cells - 2))
        builder.addInline(" ")
      }
      walk(content, builder)
      cells = 0
    }
  }
  builder.closeBlock({ trailingLineBreaks: 1 })
}

/** A link directly after another one is a word of its own. */
const nextLink: FormatCallback = (element, walk, builder, options) => {
  builder.addInline(" ")
  builder.options.formatters?.anchor?.(element, walk, builder, options)
}

const line = { leadingLineBreaks: 1, trailingLineBreaks: 1 }
const link: FormatOptions = { hideLinkHrefIfSameAsText: true, linkBrackets: ["(", ")"], noAnchorUrl: true }

export const plainTextOptions = {
  wordwrap: 78,
  limits: { maxDepth: 100, maxChildNodes: 10_000 },
  formatters: { row, nextLink },
  selectors: [
    { selector: "img", format: "skip" },
    { selector: "title", format: "skip" },
    { selector: "a", format: "anchor", options: link },
    { selector: "a + a", format: "nextLink", options: link },
    { selector: "tr", format: "row" },
    ...lineElements.map((selector) => ({ selector, format: "block", options: line })),
    // Lists format their items.
    { selector: "ul > li", format: "inline" },
    { selector: "ol > li", format: "inline" },
    ...hiddenElements.map((selector) => ({ selector, format: "skip" }))
  ]
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
