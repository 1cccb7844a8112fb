import { Schema } from "effect"
import { choice, wholeNumber } from "../../Fields.js"
import { mediaType } from "../../MediaType.js"
import { ObjectKey } from "../../objects/ObjectKey.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { SearchText } from "../../Search.js"
import { matching, text } from "../../Text.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

/** The media type of a document, as in `Content-Type` (RFC 9110 section 8.3.1). */
export const ContentType = mediaType("text/plain")

export const KnowledgeBaseId = Uuid.pipe(Schema.brand("KnowledgeBaseId"))
export type KnowledgeBaseId = typeof KnowledgeBaseId.Type

export const KnowledgeDocumentId = Uuid.pipe(Schema.brand("KnowledgeDocumentId"))
export type KnowledgeDocumentId = typeof KnowledgeDocumentId.Type

/** Documents that voice agents can use. */
export class KnowledgeBase extends Schema.Class<KnowledgeBase>("KnowledgeBase")({
  id: KnowledgeBaseId,
  organizationId: OrganizationId,
  name: Schema.String,
  description: Schema.optional(Schema.String),
  documentCount: Schema.Int.annotations({ description: "the number of documents that are ready" }),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

export const KnowledgeDocumentStatus = choice("pending_upload", "ready", "failed").annotations({
  identifier: "KnowledgeDocumentStatus"
})
export type KnowledgeDocumentStatus = typeof KnowledgeDocumentStatus.Type

/** A document of a knowledge base. Its file name is display text only: `storageKey` does not depend on it. */
export class KnowledgeDocument extends Schema.Class<KnowledgeDocument>("KnowledgeDocument")({
  id: KnowledgeDocumentId,
  knowledgeBaseId: KnowledgeBaseId,
  filename: Schema.String,
  contentType: Schema.String,
  contentLength: Schema.Int,
  storageKey: ObjectKey,
  status: KnowledgeDocumentStatus,
  createdAt: Timestamp
}) {}

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
