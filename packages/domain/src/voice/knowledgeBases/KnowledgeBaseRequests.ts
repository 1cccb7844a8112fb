import { Schema } from "effect"
import { ObjectKey } from "../../objects/ObjectKey.js"
import { SearchText } from "../../Search.js"
import { matching, text } from "../../Text.js"
import { wholeNumber } from "../../WholeNumber.js"
import { ContentType } from "./ContentType.js"
import { KnowledgeDocumentId } from "./KnowledgeBase.js"

const filenameSentence =
  "must be the name of a file, without folders, control characters, or characters that turn the direction of text"

/** A file name without folders. It is display text, and never used as a path. */
const Filename = text(1, 255)
  .pipe(
    matching(
      /^(?:[^\x00-\x1f\x7f-\x9f/\\]*[^.\x00-\x1f\x7f-\x9f/\\][^\x00-\x1f\x7f-\x9f/\\]*|\.{3,})$/,
      filenameSentence
    ),
    // Bidirectional formatting: `exe.fdp` could be displayed as `pdf.exe`.
    Schema.filter((name) => !/[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/.test(name) || filenameSentence)
  )
  .annotations({ description: "the name of a file", examples: ["opening-hours.pdf"] })

/** The maximum size of a document, in bytes: 50 MiB. */
export const maxDocumentBytes = 52_428_800

export const CreateKnowledgeBase = Schema.Struct({
  name: text(1, 200),
  description: Schema.optional(text(1, 2000))
}).annotations({ identifier: "CreateKnowledgeBase" })
export type CreateKnowledgeBase = typeof CreateKnowledgeBase.Type

/** The file to upload. The upload must match its type and length. */
export const RequestUpload = Schema.Struct({
  filename: Filename,
  contentType: ContentType,
  contentLength: wholeNumber(1, maxDocumentBytes)
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
export const KnowledgeBaseFilters = Schema.Struct({ search: Schema.optional(SearchText) })
export type KnowledgeBaseFilters = typeof KnowledgeBaseFilters.Type
