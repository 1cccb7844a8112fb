import { HttpServerResponse } from "@effect/platform"

/**
 * The headers of a page with HTML of a mail: no scripts, forms, frames, plug-ins, pop-ups or requests. Only pages of the
 * same origin can frame it.
 */
const headers = {
  "content-security-policy":
    "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
  "x-frame-options": "SAMEORIGIN",
  // Names in links are not looked up before a click.
  "x-dns-prefetch-control": "off"
}

const doctype = /^\s*<!doctype[^>]*>/i

/** Attributes that select another target of a link than the base. */
const targets = /\btarget(?=\s*=)/gi

/** `preconnect` of a link is not subject to a Content-Security-Policy. */
const links = /<link(?=[\s/>])/gi

/** A base has no effect on links of SVG. A browser may connect to the host of a frame before its policy forbids the frame. */
const embeddings = /<(?=(?:svg|i?frame|frameset|fencedframe|object|embed)[\s/>])/gi

/**
 * Makes links of HTML inert: their target is a new window, which the sandbox forbids. A zero-width space makes the name of
 * an attribute unknown, and does not change visible text.
 */
const inert = (html: string): string => {
  const [start = ""] = doctype.exec(html) ?? []
  const rest = html.slice(start.length).replace(targets, "$&\u200b").replace(links, "<meta").replace(embeddings, "<x-")
  return `${start}<base target="_blank">${rest}`
}

/** The response with HTML of a mail, for a frame: it can't run scripts, load or navigate. */
export const sandboxedHtml = (html: string) =>
  HttpServerResponse.text(inert(html), {
    contentType: "text/html; charset=utf-8",
    headers
  })
