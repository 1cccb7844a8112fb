import { domainToUnicode } from "node:url"
import { addressDomain, type EmailAddress } from "@switchboard/domain/email/EmailAddress"

/** What stands where an address was: nobody can have it (RFC 2606). */
export const placeholder = "erased@erased.invalid"

/** Signs stand for themselves, or as a link writes them. */
const literally = (text: string) =>
  text.replace(
    /[^A-Za-z0-9\u0080-\uffff]/g,
    (sign) => `(?:\\${sign}|%${sign.charCodeAt(0).toString(16).padStart(2, "0")})`
  )

/**
 * A regular expression of PostgreSQL for an address wherever it is written: in text, in JSON and in links, its domain in
 * either form; not as a part of another address. Before it may stand what JSON or a link writes for something else.
 */
export const mentionOf = (address: EmailAddress): string => {
  const local = address.slice(0, address.lastIndexOf("@"))
  const domain = addressDomain(address)
  const domains = [...new Set([domain, domainToUnicode(domain)])].map(literally).join("|")
  const before = String.raw`(?:(?<![A-Za-z0-9._+-])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))`
  const after = String.raw`(?![A-Za-z0-9-]|\.[A-Za-z0-9])`
  return `${before}${literally(local)}(?:@|%40|&#64;)(?:${domains})${after}`
}
