import { compile } from "html-to-text"
import { boundedHtml, plainTextOptions } from "../../messages/compose/PlainText.js"

/** The elements that programs put around a quoted mail. A `blockquote` is one too; persons answer between them. */
const quotes = [
  // Yahoo, Proton Mail, Zoho, GMX and WEB.DE, Zimbra, AOL.
  ...[".yahoo_quoted", ".protonmail_quote", ".zmail_extra", "div[name=quote]", "[data-marker=__QUOTED_TEXT__]"],
  ...[".aolReplacedBody", "[id^=AOLMsgPart]"],
  // Outlook for Mac and on telephones, NetEase.
  ...["#OLK_SRC_BODY_SECTION", "#mail-editor-reference-message-container", "#isReplyContent"]
]

/** The elements that programs put around a signature. */
const signatures = [
  ...[".gmail_signature", ".gmail_signature_prefix", ".moz-signature", ".protonmail_signature_block"],
  ...["#Signature", "#AppleMailSignature", "#ms-outlook-mobile-signature", "[data-signatureblock]"]
]

/** The elements of Outlook on the web after which the quoted mail follows. */
const dividers = ["divRplyFwdMsg", "appendonsend"]
const divider = new RegExp(`<[a-z]{1,10}\\s[^<>]{0,200}\\bid\\s?=\\s?["']?(?:${dividers.join("|")})\\b`, "i")

/** The classes and ids of these elements. */
const names = [...quotes, ...signatures].flatMap((selector) => /[\w-]+(?=\]?$)/.exec(selector) ?? [])
const known = new RegExp(`(?<![\\w-])(?:${[...names, ...dividers].join("|")})`)

const convert = compile({
  ...plainTextOptions,
  selectors: [
    ...plainTextOptions.selectors,
    ...quotes.map((selector) => ({ selector, format: "blockquote" })),
    ...signatures.map((selector) => ({ selector, format: "skip" }))
  ]
})

/**
 * The text of HTML with all quotes marked by `>`, without signatures; undefined if only `blockquote` elements quote,
 * which the plain text marks too.
 */
export const textWithQuoteMarks = (html: string): string | undefined => {
  const begin = boundedHtml(html)
  if (!known.test(begin)) return undefined
  const end = divider.exec(begin)?.index
  return convert(end === undefined ? begin : begin.slice(0, end))
}
