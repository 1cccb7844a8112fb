import { isUtf8 } from "node:buffer"
import PostalMime from "postal-mime"
import { unwrapFlowed } from "./FlowedText.js"
import { MailTooMuch } from "./MailLimits.js"

/** The part of postal-mime's MIME node that is replaced. */
interface MimeNode {
  readonly state: "header" | "body" | "finished"
  readonly contentType: {
    readonly multipart: string | false
    readonly parsed: { readonly params: { readonly boundary?: string } }
  }
  feed(line: Uint8Array): void
  processHeaders(): void
  decodeFlowedText(text: string, delSp: boolean): string
}

const isMimeNode = (node: unknown): node is MimeNode =>
  typeof node === "object" &&
  node !== null &&
  ["feed", "processHeaders", "decodeFlowedText"].every((name) => typeof Reflect.get(node, name) === "function")

/** A header line in UTF-8. Any other is read as ISO 8859-1: mail that does not declare its charset is mostly in it. */
export const headerOctets = (line: Uint8Array): Uint8Array =>
  isUtf8(line) ? line : Uint8Array.from(Buffer.from(Buffer.from(line).toString("latin1")))

/**
 * Makes postal-mime read what it loses: a header line that is not UTF-8, and quoted `format=flowed` text. Makes it
 * refuse a multipart without a boundary, whose content it would drop. For a thread that runs nothing else.
 */
export const completeMimeNodes = (): void => {
  const root: unknown = Reflect.get(new PostalMime(), "root")
  if (!isMimeNode(root)) throw new Error("postal-mime has other MIME nodes than version 4.0")
  const prototype: MimeNode = Object.getPrototypeOf(root)
  const { feed, processHeaders } = prototype
  Object.assign(prototype, {
    decodeFlowedText: unwrapFlowed,
    feed(this: MimeNode, line: Uint8Array) {
      feed.call(this, this.state === "body" ? line : headerOctets(line))
    },
    processHeaders(this: MimeNode) {
      processHeaders.call(this)
      const { multipart, parsed } = this.contentType
      if (multipart !== false && !parsed.params.boundary) throw new MailTooMuch("A multipart has no boundary")
    }
  })
}
