import { isUtf8 } from "node:buffer"
import PostalMime from "postal-mime"
import { unwrapFlowed } from "./FlowedText.js"
import { MailLimitExceeded } from "./MailLimits.js"

/** The members of postal-mime's MimeNode that `patchMimeNodes` uses. */
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

/** A header line in UTF-8. Other octets are converted from ISO 8859-1, the most common undeclared charset. */
export const headerOctets = (line: Uint8Array): Uint8Array =>
  isUtf8(line) ? line : Uint8Array.from(Buffer.from(Buffer.from(line).toString("latin1")))

/**
 * Patches postal-mime, which loses header lines and undeclared text that are not UTF-8, and quoted `format=flowed` text.
 * A multipart without a boundary is refused: postal-mime would drop its content. Patches the prototype, so use it only
 * in a worker that runs nothing else.
 */
export const patchMimeNodes = (): void => {
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
      if (multipart !== false && !parsed.params.boundary) throw new MailLimitExceeded("A multipart has no boundary")
    }
  })
}
