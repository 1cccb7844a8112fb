import { Schema } from "effect"

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const parameter = `\\s*;\\s*${token}=(?:${token}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*")`
const mediaType = new RegExp(`^${token}/${token}(?:${parameter})*$`)

const maxLength = 255

/** A media type with parameters, as in `Content-Type` (RFC 9110 section 8.3.1). */
export const ContentType = Schema.String.pipe(
  Schema.filter((text) => (text.length <= maxLength && mediaType.test(text)) || "must be a media type like text/plain")
).annotations({
  description: "a media type",
  jsonSchema: { type: "string", pattern: mediaType.source, maxLength, examples: ["text/plain"] }
})

/** The canonical form: names in lower case, no spaces around semicolons. */
const plain = (contentType: string): string =>
  contentType
    .trim()
    .replace(/\s*;\s*/g, ";")
    .replace(/"[^"]*"|[^"]+/g, (part) => (part.startsWith('"') ? part : part.toLowerCase()))

/** Whether two media types are equal, including their parameters. */
export const isSameType = (left: string, right: string): boolean => plain(left) === plain(right)
