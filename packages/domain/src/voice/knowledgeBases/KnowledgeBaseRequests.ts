import { Schema } from "effect"
import { ObjectKey } from "../../objects/ObjectKey.js"
import { filledText } from "../FilledText.js"
import { ContentType } from "./ContentType.js"
import { Filename } from "./Filename.js"
import { KnowledgeDocumentId } from "./KnowledgeBase.js"

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
