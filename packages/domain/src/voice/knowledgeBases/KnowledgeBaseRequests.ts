import { Schema } from "effect"
import { ObjectKey } from "../../objects/ObjectKey.js"
import { filledText } from "../FilledText.js"
import { ContentType } from "./ContentType.js"
import { KnowledgeDocumentId } from "./KnowledgeBase.js"

const longest = 255

/** Control characters, and what turns the direction of the text beside it: `exe.fdp` would be read as `pdf.exe`. */
const deceiving = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

const problemOf = (text: string): string | undefined => {
  if (text.length < 1 || text.length > longest) return `must have 1 to ${longest} characters`
  if (deceiving.test(text)) return "must not contain control characters, or characters that turn the direction of text"
  return /[/\\]/.test(text) || /^\.{1,2}$/.test(text) ? "must be the name of a file, without folders" : undefined
}

/** What a file is called, in no folder. It is shown and given back, and never a path of ours. */
const Filename = Schema.String.pipe(Schema.filter(problemOf)).annotations({
  description: "the name of a file",
  jsonSchema: { type: "string", minLength: 1, maxLength: longest, examples: ["opening-hours.pdf"] }
})

/** The largest document: 50 MiB. */
export const largestDocument = 52_428_800

export const CreateKnowledgeBase = Schema.Struct({
  name: filledText(200),
  description: Schema.optional(filledText(2000))
}).annotations({ identifier: "CreateKnowledgeBase" })
export type CreateKnowledgeBase = typeof CreateKnowledgeBase.Type

/** What is about to be uploaded: this, and nothing else, is taken. */
export const RequestUpload = Schema.Struct({
  filename: Filename,
  contentType: ContentType,
  contentLength: Schema.Number.pipe(
    Schema.filter(
      (length) =>
        (Number.isInteger(length) && length >= 1 && length <= largestDocument) ||
        `must be a whole number from 1 to ${largestDocument}`
    )
  ).annotations({ jsonSchema: { type: "integer", minimum: 1, maximum: largestDocument } })
}).annotations({ identifier: "RequestUpload" })
export type RequestUpload = typeof RequestUpload.Type

/** Where to put a document. */
export const UploadTarget = Schema.Struct({
  uploadUrl: Schema.String.annotations({
    description: "takes one PUT within 15 minutes, of the length and type that were asked for; it needs no key"
  }),
  documentId: KnowledgeDocumentId,
  storageKey: ObjectKey
}).annotations({ identifier: "UploadTarget" })
export type UploadTarget = typeof UploadTarget.Type

/** What a list of knowledge bases may be narrowed to; `search` looks into name and description. */
export const KnowledgeBaseFilters = Schema.Struct({ search: Schema.optional(Schema.String) })
export type KnowledgeBaseFilters = typeof KnowledgeBaseFilters.Type
