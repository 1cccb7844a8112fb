/*
 * What the texts of DNS mean, however somebody typed them into the forms of a provider: in pieces, with the quotes of a
 * zone file, with other white space, with tags in another order.
 */

/** The text of a zone file's pieces in quotes; one without quotes as it is. */
const unquoted = (text: string): string => {
  const pieces = [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, piece]) => piece)
  const whole = text.trim().startsWith('"') && pieces.length > 0 ? pieces.join("") : text
  return whole.replace(/\\(["\\;])/g, "$1").trim()
}

const withoutSpace = (text: string): string => unquoted(text).replace(/\s+/g, "")

/** Whether two texts are the same but for quotes and white space. */
export const isSameText = (found: string, expected: string): boolean => withoutSpace(found) === withoutSpace(expected)

/** The tags of a list (RFC 6376 section 3.2); null if it is none, or names a tag twice. */
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

/** Whether one of the items of a tag is this; a tag that is not there allows all. */
const allows = (tags: ReadonlyMap<string, string>, name: string, ...items: ReadonlyArray<string>): boolean => {
  const value = tags.get(name)
  return value === undefined || value.split(":").some((item) => items.includes(item))
}

/** Whether mail that is signed with this public key (base64) holds under a DKIM record (RFC 6376 section 3.6.1). */
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

/** Whether a text is an SPF record at all. */
export const isSpf = (text: string): boolean => spfTerms(text)[0] === "v=spf1"

/** Whether an SPF record lets pass what this mechanism names: said before whatever holds for all others. */
export const spfPasses = (found: string, mechanism: string): boolean => {
  const [, ...terms] = spfTerms(found)
  const end = terms.findIndex((term) => /^[-+~?]?all$/.test(term))
  return (
    isSpf(found) && terms.slice(0, end === -1 ? undefined : end).some((term) => term.replace(/^\+/, "") === mechanism)
  )
}

/** Whether a text is a DMARC policy (RFC 7489 section 6.3), whatever it says. */
export const isDmarc = (found: string): boolean => {
  const tags = tagsOf(found)
  return tags !== null && [...tags.keys()][0] === "v" && tags.get("v") === "DMARC1" && tags.has("p")
}
