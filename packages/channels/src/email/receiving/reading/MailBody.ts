import type { ReadPart } from "@switchboard/services/email/receiving/ReadMail"
import { decodeText, metaCharset } from "./Charsets.js"
import { bodyText, fileName, headerText } from "./MailText.js"
import { mailLimits, parseParameters } from "./MimeHeader.js"
import { fieldValue, type MimeEntity } from "./MimeTree.js"
import { uuencodedFiles } from "./TransferEncodings.js"

const signature = "-- "

/**
 * Unwraps `format=flowed` text (RFC 3676): a line that ends with a space continues in the next line of the same quote
 * depth, except the signature separator. `delSp` removes that space (section 4.1).
 */
const unwrapFlowed = (text: string, delSp: boolean): string => {
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

/** The bodies and the attachments of a mail. */
export interface MailBody {
  readonly text: string
  readonly html: string
  readonly parts: ReadonlyArray<ReadPart>
}

/** The texts of one leaf, or of the alternatives of a multipart/alternative. */
interface Section {
  readonly plain: Array<string>
  readonly html: Array<string>
}

const mediaType = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/

/** The octets that suffice for this number of characters, which have at most four octets. */
const beginning = (octets: Buffer, maxLength: number): Buffer => {
  let end = maxLength * 4
  if (octets.length <= end) return octets
  while (((octets[end] ?? 0) & 0xc0) === 0x80) end--
  return octets.subarray(0, end)
}

const textOf = ({ parameters }: MimeEntity, octets: Buffer, maxLength: number): string => {
  const text = decodeText(beginning(octets, maxLength), parameters.text("charset")).slice(0, maxLength)
  return parameters.text("format").toLowerCase() === "flowed"
    ? unwrapFlowed(text, parameters.text("delsp").toLowerCase() === "yes")
    : text
}

const htmlOf = ({ content, parameters }: MimeEntity, maxLength: number): string =>
  decodeText(beginning(content, maxLength), parameters.text("charset") || metaCharset(content)).slice(0, maxLength)

/** Text as HTML. */
const asHtml = (text: string): string => {
  const escaped = text
    .trim()
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/\r?\n/g, "<br />")
  return `<div>${escaped}</div>`
}

const partOf = (entity: MimeEntity, isRelated: boolean, fallbackCharset: string): ReadPart => {
  const disposition = parseParameters(fieldValue(entity.fields, "content-disposition"))
  const contentId = headerText(fieldValue(entity.fields, "content-id").replace(/[<>]/g, ""), 998)
  const name = disposition.text("filename", fallbackCharset) || entity.parameters.text("name", fallbackCharset)
  return {
    filename: fileName(name),
    contentType: mediaType.test(entity.type) ? entity.type : "application/octet-stream",
    contentId: contentId || null,
    isInline: disposition.value === "inline" || (isRelated && contentId !== ""),
    content: entity.content
  }
}

/** A file in uuencode of a text. */
const uuencodedPart = (name: string, content: Buffer): ReadPart => ({
  filename: fileName(decodeText(Buffer.from(name, "latin1"), "")),
  contentType: "application/octet-stream",
  contentId: null,
  isInline: false,
  content
})

/** The text without its files in uuencode. */
const withoutFiles = (octets: Buffer, parts: Array<ReadPart>): Buffer => {
  if (!octets.includes("begin ")) return octets
  const text = octets.toString("latin1")
  const pieces: Array<string> = []
  let at = 0
  for (const { content, end, name, start } of uuencodedFiles(text)) {
    if (parts.length >= mailLimits.parts) break
    pieces.push(text.slice(at, start))
    parts.push(uuencodedPart(name, content))
    at = end
  }
  return at === 0 ? octets : Buffer.from([...pieces, text.slice(at)].join(""), "latin1")
}

/** A notice of the sender's program that the mail is MIME. */
const isMimeNotice = (text: string): boolean => text.length < 1_000 && /\bmime\b|multi-?part/i.test(text)

/** The texts before and after the parts, for a mail without any other text. */
const outsideText = ({ children, outside }: MimeEntity): string =>
  [
    ...outside.map((octets) => bodyText(decodeText(beginning(octets, mailLimits.body), ""), mailLimits.body).trim()),
    ...children.map(outsideText)
  ]
    .filter((text) => text !== "" && !isMimeNotice(text))
    .join("\n\n")

/** The charset of the first part that states one. */
export const firstCharset = ({ children, parameters }: MimeEntity): string =>
  children.reduce((charset, child) => charset || firstCharset(child), parameters.text("charset"))

/** Sorts the leaves into texts and attachments. */
const collect = (root: MimeEntity) => {
  const sections: Array<Section> = []
  const parts: Array<ReadPart> = []
  const fallbackCharset = firstCharset(root)
  // Characters of text and HTML that are read. More would be truncated.
  let room = 2 * mailLimits.body
  const visit = (entity: MimeEntity, alternative: Section | null, isRelated: boolean): void => {
    const { children, fields, type } = entity
    if (children.length > 0) {
      const section = type === "multipart/alternative" ? { plain: [], html: [] } : alternative
      if (section !== null && section !== alternative) sections.push(section)
      for (const child of children) visit(child, section, isRelated || type === "multipart/related")
      return
    }
    const isAttached = parseParameters(fieldValue(fields, "content-disposition")).value === "attachment"
    if (isAttached || (type !== "text/plain" && type !== "text/html")) {
      if (!type.startsWith("multipart/")) parts.push(partOf(entity, isRelated, fallbackCharset))
      return
    }
    const section = alternative ?? { plain: [], html: [] }
    if (alternative === null) sections.push(section)
    const isHtml = type === "text/html"
    const text = isHtml ? htmlOf(entity, room) : textOf(entity, withoutFiles(entity.content, parts), room)
    const texts = isHtml ? section.html : section.plain
    texts.push(text)
    room -= Math.min(room, text.length)
  }
  visit(root, null, false)
  return { sections, parts }
}

/** The text of HTML. The converter is imported at first use. */
export const textOfHtml = async (html: string): Promise<string> => {
  if (html === "") return ""
  const { plainText } = await import("@switchboard/services/messages/compose/PlainText")
  return plainText(html)
}

/** Characters of HTML that are converted to text for one mail, which takes less than a second. */
const maxConverted = 1_000_000

/**
 * The texts of the sections in order. A section without text has the text of its HTML, and in a mail with HTML a section
 * without HTML has its text as HTML.
 */
const joinSections = async (sections: ReadonlyArray<Section>) => {
  const hasPlain = sections.some(({ plain }) => plain.length > 0)
  const hasHtml = sections.some(({ html }) => html.length > 0)
  const texts: Array<string> = []
  let converted = 0
  for (const { html, plain } of hasPlain ? sections : []) {
    const isConverted = plain.length === 0 && converted < maxConverted
    texts.push(...plain, ...(isConverted ? [await textOfHtml(html.join("\n"))] : []))
    if (isConverted) converted += html.join("\n").length
  }
  const htmls = hasHtml ? sections.flatMap(({ html, plain }) => (html.length > 0 ? html : plain.map(asHtml))) : []
  return { text: bodyText(texts.join("\n\n"), mailLimits.body), html: bodyText(htmls.join("\n"), mailLimits.body) }
}

/** The bodies and attachments of a MIME tree. */
export const mailBody = async (root: MimeEntity): Promise<MailBody> => {
  const { parts, sections } = collect(root)
  const { html, text } = await joinSections(sections)
  return { text: text.trim() === "" && html.trim() === "" ? outsideText(root) || text : text, html, parts }
}
