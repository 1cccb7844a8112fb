import { Either, Encoding, Schema } from "effect"
import { items } from "../Fields.js"
import { mediaType } from "../MediaType.js"
import { matching, text } from "../Text.js"

/** The maximum decoded size of all attachments of a message: 25 MiB. */
export const attachmentsLimitBytes = 25 * 1024 * 1024

/** The content of a file in octets, instead of base64. Its JSON is base64 (RFC 4648 section 4). */
export class FileContent {
  constructor(readonly octets: Uint8Array) {}

  toJSON(): string {
    return Encoding.encodeBase64(this.octets)
  }
}

/** The number of octets of a file. */
export const decodedLength = (content: string | FileContent): number => {
  if (content instanceof FileContent) return content.octets.byteLength
  const padding = content.endsWith("==") ? 2 : content.endsWith("=") ? 1 : 0
  return Math.floor((content.length * 3) / 4) - padding
}

// Without a repeated group: on megabytes of text, one would overflow the stack of the regular expression.
const alphabet = /^[A-Za-z0-9+/]*={0,2}$/
const isBase64 = (text: string): boolean => text.length % 4 === 0 && alphabet.test(text)

const nameSentence = "must be a name without a path or control characters"

/** The file name of an attachment, without a path. */
export const AttachmentName = text(1, 255).pipe(
  matching(/^[^\x00-\x1f\x7f-\x9f/\\]*$/, nameSentence),
  // Bidirectional formatting: `exe.fdp` could be displayed as `pdf.exe`.
  Schema.filter((name) => !/[\u202a-\u202e\u2066-\u2069]/.test(name) || nameSentence)
)

/** The content of an attachment: base64, or `FileContent`, as which the service reads that of a large body. */
export const AttachmentContent = Schema.Union(
  Schema.String.pipe(Schema.filter((text) => isBase64(text) || "must be base64")),
  Schema.declare((content) => content instanceof FileContent, { typeConstructor: { _tag: "FileContent" } })
).annotations({ jsonSchema: { type: "string", contentEncoding: "base64", pattern: alphabet.source } })

/** The media type of an attachment. */
export const AttachmentType = mediaType("application/pdf")

/** A file to attach, in base64. The service never fetches content from a path or URL. */
export const Attachment = Schema.Struct({
  filename: AttachmentName,
  content: AttachmentContent,
  contentType: Schema.optional(
    AttachmentType.annotations({
      description: "a media type, with parameters if any; default: the type of the file name's extension"
    })
  ),
  contentId: Schema.optional(
    Schema.String.pipe(
      matching(/^[A-Za-z0-9][A-Za-z0-9_.+@-]{0,200}$/, "must be a Content-ID without `cid:` and angle brackets")
    )
  )
}).annotations({ identifier: "Attachment" })
export type Attachment = typeof Attachment.Type

/** Up to 20 attachments, 25 MiB in total. */
export const Attachments = Schema.Array(Attachment).pipe(
  items(0, 20),
  Schema.filter(
    (files) =>
      files.reduce((total, { content }) => total + decodedLength(content), 0) <= attachmentsLimitBytes ||
      "must be at most 25 MiB in all"
  )
)

/** The decoded content of a validated attachment. */
export const attachmentBytes = ({ content }: Pick<Attachment, "content">): Uint8Array =>
  content instanceof FileContent ? content.octets : Either.getOrThrow(Encoding.decodeBase64(content))
