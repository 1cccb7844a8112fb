import { mediaType } from "../../MediaType.js"

/** The media type of a document, as in `Content-Type` (RFC 9110 section 8.3.1). */
export const ContentType = mediaType("text/plain")

/** The canonical form: names in lower case, no spaces around semicolons. */
const plain = (contentType: string): string =>
  contentType
    .trim()
    .replace(/\s*;\s*/g, ";")
    .replace(/"(?:[^"\\]|\\.)*"|[^"]+/g, (part) => (part.startsWith('"') ? part : part.toLowerCase()))

/** Whether two media types are equal, including their parameters. */
export const isSameType = (left: string, right: string): boolean => plain(left) === plain(right)
