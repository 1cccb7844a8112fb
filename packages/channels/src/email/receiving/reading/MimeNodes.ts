import { isUtf8 } from "node:buffer"
import PostalMime from "postal-mime"
import { unwrapFlowed } from "./FlowedText.js"
import { MailTooMuch } from "./MailLimits.js"

/** The part of postal-mime's MIME node that is replaced. */
interface MimeNode {
  readonly state: "header" | "body" | "finished"
  readonly content: ArrayBuffer | null
  readonly contentType: {
    readonly multipart: string | false
    readonly parsed: { readonly params: { readonly boundary?: string; charset?: string } }
  }
  feed(line: Uint8Array): void
  processHeaders(): void
  decodeFlowedText(text: string, delSp: boolean): string
  getTextContent(): string
}

const isMimeNode = (node: unknown): node is MimeNode =>
  typeof node === "object" &&
  node !== null &&
  ["feed", "processHeaders", "decodeFlowedText", "getTextContent"].every(
    (name) => typeof Reflect.get(node, name) === "function"
  )

/** A header line in UTF-8. Any other is read as ISO 8859-1: mail that does not declare its charset is mostly in it. */
export const headerOctets = (line: Uint8Array): Uint8Array =>
  isUtf8(line) ? line : Uint8Array.from(Buffer.from(Buffer.from(line).toString("latin1")))

/**
 * Makes postal-mime read what it loses: a header line that is not UTF-8, text of no charset that is not, and quoted
 * `format=flowed` text. Makes it refuse a multipart without a boundary: it would drop the content. For a thread that
 * runs nothing else.
 */
export const completeMimeNodes = (): void => {
  const root: unknown = Reflect.get(new PostalMime(), "root")
  if (!isMimeNode(root)) throw new Error("postal-mime has other MIME nodes than version 4.0")
  const prototype: MimeNode = Object.getPrototypeOf(root)
  const { feed, getTextContent, processHeaders } = prototype
  Object.assign(prototype, {
    decodeFlowedText: unwrapFlowed,
    feed(this: MimeNode, line: Uint8Array) {
      feed.call(this, this.state === "body" ? line : headerOctets(line))
    },
    getTextContent(this: MimeNode) {
      const { params } = this.contentType.parsed
      if (!params.charset && this.content !== null && !isUtf8(this.content)) params.charset = "iso-8859-1"
      return getTextContent.call(this)
    },
    processHeaders(this: MimeNode) {
      processHeaders.call(this)
      const { multipart, parsed } = this.contentType
      if (multipart !== false && !parsed.params.boundary) throw new MailTooMuch("A multipart has no boundary")
    }
  })
}
