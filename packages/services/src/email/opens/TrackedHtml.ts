import { type Context, Option } from "effect"
import type { Signatures } from "../../Signatures.js"
import { type OpenedMail, openPath, openToken } from "./OpenLink.js"

/** The last closing body tag: earlier ones may be in a script or a comment. */
const bodyEnd = /<\/body\s*>(?![\s\S]*<\/body\s*>)/i

const prefixOf = (publicUrl: string) => `${publicUrl}${openPath}?token=`

/** Adds the tracking pixel to the end of an HTML body. */
export const trackedHtml = (
  signatures: Context.Tag.Service<Signatures>,
  publicUrl: string,
  html: string,
  mail: OpenedMail
): string => {
  if (html === "") return html
  const address = prefixOf(publicUrl) + openToken(signatures, mail)
  // Gmail and others don't load images with a hidden style.
  const image = `<img src="${address.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}" width="1" height="1" alt="">`
  const end = html.search(bodyEnd)
  return end === -1 ? `${html}${image}` : `${html.slice(0, end)}${image}${html.slice(end)}`
}

/** The URL of the tracking pixel in an HTML body; none if the body has no pixel of this public URL. */
export const openUrlIn = (publicUrl: string, html: string): Option.Option<string> => {
  const prefix = prefixOf(publicUrl)
  const start = html.lastIndexOf(prefix)
  if (start === -1) return Option.none()
  const token = /^[\w.-]*/.exec(html.slice(start + prefix.length))?.[0]
  return Option.some(prefix + token)
}
