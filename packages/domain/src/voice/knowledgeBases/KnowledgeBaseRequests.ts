import { Schema } from "effect"
import { ObjectKey } from "../../objects/ObjectKey.js"
import { filledText } from "../FilledText.js"
import { ContentType } from "./ContentType.js"
import { KnowledgeDocumentId } from "./KnowledgeBase.js"

const maxFilenameLength = 255

/** Control characters and bidirectional formatting: `exe.fdp` could be displayed as `pdf.exe`. */
const unsafeCharacters = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const problemOf = (text: string): string | undefined => {
  if (text.length < 1 || text.length > maxFilenameLength) return `must have 1 to ${maxFilenameLength} characters`
  if (unsafeCharacters.test(text))
    return "must not contain control characters, or characters that turn the direction of text"
  return /[/\\]/.test(text) || /^\.{1,2}$/.test(text) ? "must be the name of a file, without folders" : undefined
}

/** A file name without folders. It is display text, and never used as a path. */
const Filename = Schema.String.pipe(Schema.filter(problemOf)).annotations({
  description: "the name of a file",
  jsonSchema: { type: "string", minLength: 1, maxLength: maxFilenameLength, examples: ["opening-hours.pdf"] }
})

/** The maximum size of a document, in bytes: 50 MiB. */
export const maxDocumentBytes = 52_428_800

export const CreateKnowledgeBase = Schema.Struct({
  name: filledText(200),
  description: Schema.optional(filledText(2000))
}).annotations({ identifier: "CreateKnowledgeBase" })
export type CreateKnowledgeBase = typeof CreateKnowledgeBase.Type

/** The file to upload. The upload must match its type and length. */
export const RequestUpload = Schema.Struct({
  filename: Filename,
  contentType: ContentType,
  contentLength: Schema.Number.pipe(
    Schema.filter(
      (length) =>
        (Number.isInteger(length) && length >= 1 && length <= maxDocumentBytes) ||
        `must be a whole number from 1 to ${maxDocumentBytes}`
    )
  ).annotations({ jsonSchema: { type: "integer", minimum: 1, maximum: maxDocumentBytes } })
}).annotations({ identifier: "RequestUpload" })
export type RequestUpload = typeof RequestUpload.Type

/** The upload URL of a document. */
export const UploadTarget = Schema.Struct({
  uploadUrl: Schema.String.annotations({
    description: "a URL that accepts one PUT of the requested length and type within 15 minutes, without a key"
  }),
  documentId: KnowledgeDocumentId,
  storageKey: ObjectKey
}).annotations({ identifier: "UploadTarget" })
export type UploadTarget = typeof UploadTarget.Type

/** Filters of a list of knowledge bases; `search` matches name and description. */
export const KnowledgeBaseFilters = Schema.Struct({ search: Schema.optional(Schema.String) })
export type KnowledgeBaseFilters = typeof KnowledgeBaseFilters.Type
