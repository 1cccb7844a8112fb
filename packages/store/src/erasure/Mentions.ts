import { domainToUnicode } from "node:url"
import { addressDomain, type EmailAddress } from "@switchboard/domain/email/EmailAddress"

/** Replaces an erased address. The domain `.invalid` cannot exist (RFC 2606). */
export const placeholder = "erased@erased.invalid"

/** Escapes a text for a regular expression; special characters also match in percent-encoding. */
const literally = (text: string) =>
  text.replace(
    /[^A-Za-z0-9\u0080-\uffff]/g,
    (sign) => `(?:\\${sign}|%${sign.charCodeAt(0).toString(16).padStart(2, "0")})`
  )

/**
 * A PostgreSQL regular expression for an address in text, JSON and links, with its domain as A-labels or U-labels. It
 * does not match a part of a longer address. An escape of JSON or a percent-encoded character may precede it.
 */
export const mentionOf = (address: EmailAddress): string => {
  const local = address.slice(0, address.lastIndexOf("@"))
  const domain = addressDomain(address)
  const domains = [...new Set([domain, domainToUnicode(domain)])].map(literally).join("|")
  const before = String.raw`(?:(?<![A-Za-z0-9._+-])|(?<=\\[bfnrt])|(?<=\\u[0-9A-Fa-f]{4})|(?<=%[0-9A-Fa-f]{2}))`
  const after = String.raw`(?![A-Za-z0-9-]|\.[A-Za-z0-9])`
  return `${before}${literally(local)}(?:@|%40|&#64;)(?:${domains})${after}`
}

/**
 * Parts of every mention of an address, in lower case: the longest run of ASCII letters and digits of its local part and
 * of its domain, or empty. A search for them costs a fraction of the regular expression's.
 */
export const partsOfMention = (address: EmailAddress): readonly [string, string] => {
  const maxRunOf = (runs: ReadonlyArray<string>) =>
    runs.reduce((max, run) => (run.length > max.length ? run : max), "").toLowerCase()
  const labels = addressDomain(address).split(".")
  const sameInUnicode = labels.filter((label) => !label.startsWith("xn--"))
  return [
    maxRunOf(address.slice(0, address.lastIndexOf("@")).split(/[^A-Za-z0-9]+/)),
    maxRunOf(sameInUnicode.flatMap((label) => label.split("-")))
  ]
}
