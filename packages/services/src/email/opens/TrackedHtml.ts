import type { Context } from "effect"
import type { Signatures } from "../../Signatures.js"
import { type OpenedMail, openPath, openToken } from "./OpenLink.js"

/** The last end of a page's body: what stands in a script or a comment comes before it. */
const bodyEnd = /<\/body\s*>(?![\s\S]*<\/body\s*>)/i

/** A mail's HTML with an image at its end that nobody sees, and whose request tells that it is shown. */
export const trackedHtml = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  html: string,
  mail: OpenedMail
): string => {
  if (html === "") return html
  const address = `${publicUrl}${openPath}?token=${openToken(signatures, mail)}`
  // Gmail and others show no image that is said to be hidden.
  const image = `<img src="${address.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" width="1" height="1" alt="">`
  const end = html.search(bodyEnd)
  return end === -1 ? `${html}${image}` : `${html.slice(0, end)}${image}${html.slice(end)}`
}
