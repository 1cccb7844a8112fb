import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import type { Context } from "effect"
import type { Signatures } from "../../SecretBox.js"
import { htmlLinks } from "./HtmlLinks.js"
import { clickUrl, openUrl, type TrackedMail } from "./TrackingLinks.js"

/**
 * The maximum length of a tracked link in octets; longer ones stay as they are. In base64 it is below the 8,000 octets
 * that all clients accept (RFC 9110 section 4.1).
 */
const maxLinkLength = 5_000

const printableAscii = /^[\x21-\x7e]+$/

/**
 * The target of a link's redirect: the link itself. A link that a header field can't contain, with white space or
 * characters beyond ASCII, is encoded as browsers do. Undefined if it is no http or https URL.
 */
const targetOf = (value: string): string | undefined => {
  const link = value.trim()
  if (!/^https?:\/\//i.test(link) || !URL.canParse(link)) return undefined
  const target = printableAscii.test(link) ? link : new URL(link).href
  return target.length > maxLinkLength ? undefined : target
}

const escaped = (url: string) => url.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("'", "&#39;")

/** Links to unsubscribe stay as they are: they must also work without this service. */
const unsubscribe = /unsubscribe/i

interface TrackedHtmlOptions {
  readonly signatures: Context.Tag.Service<Signatures>
  /** The base URL of the pixel and the links. */
  readonly baseUrl: string
  readonly mail: TrackedMail
  readonly tracking: Tracking
  /** Whether a link stays as it is. */
  readonly isExempt: (target: string) => boolean
}

/** Replaces the links of an HTML body by signed ones. All other octets stay. */
const withTrackedLinks = (html: string, { baseUrl, isExempt, mail, signatures }: TrackedHtmlOptions): string => {
  let tracked = ""
  let copied = 0
  for (const { end, isExempt: isMarked, start, value } of htmlLinks(html)) {
    const target = isMarked ? undefined : targetOf(value)
    if (target !== undefined && !unsubscribe.test(target) && !isExempt(target)) {
      tracked += html.slice(copied, start) + escaped(clickUrl(signatures, baseUrl, { ...mail, url: target }))
      copied = end
    }
  }
  return tracked + html.slice(copied)
}

/** The last closing body tag: earlier ones may be in a script or a comment. */
const lastBodyEnd = (html: string): number => {
  const closing = /<\/body\s*>/gi
  let last = -1
  for (let found = closing.exec(html); found !== null; found = closing.exec(html)) last = found.index
  return last
}

/** Adds the tracking pixel to the end of an HTML body. */
const withPixel = (html: string, { baseUrl, mail, signatures }: TrackedHtmlOptions): string => {
  // Gmail and others don't load images with a hidden style.
  const image = `<img src="${escaped(openUrl(signatures, baseUrl, mail))}" width="1" height="1" alt="">`
  const end = lastBodyEnd(html)
  return end === -1 ? `${html}${image}` : `${html.slice(0, end)}${image}${html.slice(end)}`
}

/** The HTML body of a recipient's mail, with the tracking pixel and signed links. */
export const trackedHtml = (html: string, options: TrackedHtmlOptions): string => {
  if (html === "") return html
  const { trackClicks, trackOpens } = options.tracking
  const linked = trackClicks ? withTrackedLinks(html, options) : html
  return trackOpens ? withPixel(linked, options) : linked
}
