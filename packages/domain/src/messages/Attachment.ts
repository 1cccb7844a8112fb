import { Either, Encoding, Schema } from "effect"

/** Attachments of one message, together and decoded: 25 MiB. */
export const attachmentsLimitBytes = 25 * 1024 * 1024

/** How many octets a base64 text stands for. */
export const decodedLength = (base64: string): number => {
  const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0
  return Math.floor((base64.length * 3) / 4) - padding
}

// No repeated group: on megabytes of text it would exhaust the regular expression's stack.
const alphabet = /^[A-Za-z0-9+/]*={0,2}$/
const isBase64 = (text: string): boolean => text.length % 4 === 0 && alphabet.test(text)

const controls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u

/** What an attached file is called: never a path. */
export const AttachmentName = Schema.String.pipe(
  Schema.filter((name) => (name.length >= 1 && [...name].length <= 255) || "must have 1 to 255 characters"),
  Schema.filter((name) => !controls.test(name) || "must not contain control characters"),
  Schema.filter((name) => !/[/\\]/.test(name) || "must be a name without a path")
)

/** What an attached file consists of. */
export const AttachmentContent = Schema.String.pipe(
  Schema.filter((text) => isBase64(text) || "must be base64")
).annotations({ jsonSchema: { type: "string", contentEncoding: "base64" } })

/** What an attached file is. */
export const AttachmentType = Schema.String.pipe(
  Schema.pattern(/^[A-Za-z0-9][\w.+-]{0,126}\/[A-Za-z0-9][\w.+-]{0,126}$/, {
    message: () => "must be a media type like application/pdf"
  })
)

/** A file to send along, given as base64. Nothing is ever fetched from a path or an address. */
export const Attachment = Schema.Struct({
  filename: AttachmentName,
  content: AttachmentContent,
  contentType: Schema.optional(
    AttachmentType.annotations({
      description: "a media type; if it is left out, the one that the filename's ending tells"
    })
  ),
  contentId: Schema.optional(
    Schema.String.pipe(
      Schema.pattern(/^[A-Za-z0-9][\w.+@-]{0,200}$/, { message: () => "must be a Content-ID without angle brackets" })
    )
  )
}).annotations({ identifier: "Attachment" })
export type Attachment = typeof Attachment.Type

/** Up to 20 files, at most 25 MiB in all. */
export const Attachments = Schema.Array(Attachment).pipe(
  Schema.filter((files) => files.length <= 20 || "must have at most 20 attachments", { jsonSchema: { maxItems: 20 } }),
  Schema.filter(
    (files) =>
      files.reduce((total, { content }) => total + decodedLength(content), 0) <= attachmentsLimitBytes ||
      "must be at most 25 MiB in all"
  )
)

/** The octets of an attachment that the schema has let in. */
export const attachmentBytes = ({ content }: Attachment): Uint8Array =>
  Either.getOrThrow(Encoding.decodeBase64(content))
