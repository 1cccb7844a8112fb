import { Schema } from "effect"
import { choice } from "../../Choice.js"
import { ObjectKey } from "../../objects/ObjectKey.js"
import { OrganizationId } from "../../organizations/Organization.js"
import { Timestamp } from "../../Timestamp.js"
import { Uuid } from "../../Uuid.js"

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
