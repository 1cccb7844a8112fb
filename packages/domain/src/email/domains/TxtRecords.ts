/*
 * Comparison of TXT records. Providers' forms change their text: they split it, add the quotes of a zone file, change
 * white space, or reorder tags.
 */

/** Joins the quoted pieces of a zone file's text; unquoted text stays. */
const unquoted = (text: string): string => {
  const pieces = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece)
  const joined = text.trim().startsWith('"') && pieces.length > 0 ? pieces.join("") : text
  return joined.replace(/\\(["\\;])/g, "$1").trim()
}

const withoutSpace = (text: string): string => unquoted(text).replace(/\s+/g, "")

/** Whether two texts are equal without quotes and white space. */
export const isSameText = (found: string, expected: string): boolean => withoutSpace(found) === withoutSpace(expected)

/** Parses a tag list (RFC 6376 section 3.2); null if it is malformed or has a duplicate tag. */
const tagsOf = (text: string): ReadonlyMap<string, string> | null => {
  const tags = new Map<string, string>()
  const parts = unquoted(text)
    .split(";")
    .map((part) => part.trim())
  if (parts.at(-1) === "") parts.pop()
  for (const part of parts) {
    const [, name, value] = /^([A-Za-z][A-Za-z0-9_]*)\s*=([\s\S]*)$/.exec(part) ?? []
    if (name === undefined || value === undefined || tags.has(name)) return null
    tags.set(name, value.replace(/\s+/g, ""))
  }
  return tags
}

/** Whether a tag contains one of the items; a missing tag allows all. */
const allows = (tags: ReadonlyMap<string, string>, name: string, ...items: ReadonlyArray<string>): boolean => {
  const value = tags.get(name)
  return value === undefined || value.split(":").some((item) => items.includes(item))
}

/** Whether a DKIM record (RFC 6376 section 3.6.1) verifies signatures of this public key (base64). */
export const isDkimKey = (found: string, publicKey: string): boolean => {
  const tags = tagsOf(found)
  return (
    tags !== null &&
    tags.get("p") === publicKey &&
    allows(tags, "v", "DKIM1") &&
    allows(tags, "k", "rsa") &&
    allows(tags, "h", "sha256") &&
    allows(tags, "s", "*", "email")
  )
}

const spfTerms = (text: string): ReadonlyArray<string> => unquoted(text).toLowerCase().split(/\s+/)

/** Whether a text is an SPF record. */
export const isSpf = (text: string): boolean => spfTerms(text)[0] === "v=spf1"

/** Whether an SPF record passes this mechanism, before any `all`. */
export const spfPasses = (found: string, mechanism: string): boolean => {
  const [, ...terms] = spfTerms(found)
  const end = terms.findIndex((term) => /^[-+~?]?all$/.test(term))
  return (
    isSpf(found) && terms.slice(0, end === -1 ? undefined : end).some((term) => term.replace(/^\+/, "") === mechanism)
  )
}

/** Whether a text is a DMARC policy record (RFC 7489 section 6.3), with any policy. */
export const isDmarc = (found: string): boolean => {
  const tags = tagsOf(found)
  return tags !== null && [...tags.keys()][0] === "v" && tags.get("v") === "DMARC1" && tags.has("p")
}
