import { Tokenizer } from "htmlparser2"

/** A link of an HTML body. */
export interface HtmlLink {
  /** The place of the attribute's value in the HTML, without quotes. */
  readonly start: number
  readonly end: number
  /** The value, with its character references decoded. */
  readonly value: string
  /** Whether the element has the attribute `data-no-track`. */
  readonly isExempt: boolean
}

/** Links, the areas of image maps, and the shapes of Outlook (VML), which are links in its conditional comments. */
const linkElement = /^(?:a|area|v:[a-z]+)$/i

/** The beginning of a conditional comment, whose content Outlook shows. */
const condition = /^\[if\s[^\]>]{0,200}\]>/i

/** The text between the name of an attribute and its value. */
const beforeValue = /\s*=\s*["']?/y

/**
 * The links of an HTML body, in order. Only the first `href` of an element counts, as in browsers. Scripts, styles and
 * comments have no links, except conditional comments. The time is linear: each character is read at most twice.
 */
export const htmlLinks = (html: string, isComment = false): ReadonlyArray<HtmlLink> => {
  const links: Array<HtmlLink> = []
  let isLink = false
  let isExempt = false
  let href: Omit<HtmlLink, "isExempt"> | undefined
  let name = ""
  let start = 0
  let value = ""

  const endTag = () => {
    if (href !== undefined) links.push({ ...href, isExempt })
    isLink = false
  }
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname: (begin, end) => {
        isLink = linkElement.test(html.slice(begin, end))
        isExempt = false
        href = undefined
      },
      onattribname: (begin, end) => {
        if (!isLink) return
        name = html.slice(begin, end).toLowerCase()
        if (name === "data-no-track") isExempt = true
        beforeValue.lastIndex = end
        start = beforeValue.test(html) ? beforeValue.lastIndex : end
        value = ""
      },
      onattribdata: (begin, end) => {
        if (isLink && name === "href") value += html.slice(begin, end)
      },
      onattribentity: (codepoint) => {
        if (isLink && name === "href") value += String.fromCodePoint(codepoint)
      },
      onattribend: (quote, end) => {
        if (!isLink || name !== "href" || href !== undefined) return
        href = { start, end: quote >= 2 ? end - 1 : end, value }
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      oncomment: (begin, end, offset) => {
        const comment = html.slice(begin, end - offset)
        if (isComment || !condition.test(comment)) return
        for (const link of htmlLinks(comment, true)) {
          links.push({ ...link, start: link.start + begin, end: link.end + begin })
        }
      },
      onclosetag: () => {},
      oncdata: () => {},
      ondeclaration: () => {},
      onprocessinginstruction: () => {},
      ontext: () => {},
      ontextentity: () => {},
      onend: () => {}
    }
  )
  tokenizer.write(html)
  tokenizer.end()
  return links
}
