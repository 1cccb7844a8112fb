import { Schema } from "effect"

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const parameter = `\\s*;\\s*${token}=(?:${token}|"[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e]*")`
const mediaType = new RegExp(`^${token}/${token}(?:${parameter})*$`)

const longest = 255

/** A media type as `Content-Type` has it (RFC 9110 section 8.3.1). */
export const ContentType = Schema.String.pipe(
  Schema.filter((text) => (text.length <= longest && mediaType.test(text)) || "must be a media type like text/plain")
).annotations({
  description: "a media type",
  jsonSchema: { type: "string", maxLength: longest, examples: ["text/plain"] }
})

/** The same type has one form: names in lower case, nothing around the semicolons. */
const plain = (contentType: string): string =>
  contentType
    .trim()
    .replace(/\s*;\s*/g, ";")
    .replace(/"[^"]*"|[^"]+/g, (part) => (part.startsWith('"') ? part : part.toLowerCase()))

/** Whether both name the same type, with the same parameters. */
export const isSameType = (left: string, right: string): boolean => plain(left) === plain(right)
