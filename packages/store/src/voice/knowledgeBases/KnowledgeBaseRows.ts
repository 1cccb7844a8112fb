import { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import {
  KnowledgeBase,
  KnowledgeBaseId,
  KnowledgeDocument,
  KnowledgeDocumentId,
  KnowledgeDocumentStatus
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import type { DocumentUpload } from "@switchboard/services/voice/knowledgeBases/DocumentUpload"
import { Schema } from "effect"

const decodeBase = Schema.decodeUnknownSync(
  Schema.Struct({
    id: KnowledgeBaseId,
    organizationId: OrganizationId,
    name: Schema.String,
    description: Schema.optionalWith(Schema.String, { nullable: true }),
    documentCount: Schema.Int,
    createdAt: Schema.DateTimeUtcFromDate,
    updatedAt: Schema.DateTimeUtcFromDate
  })
)

const decodeDocument = Schema.decodeUnknownSync(
  Schema.Struct({
    organizationId: OrganizationId,
    id: KnowledgeDocumentId,
    knowledgeBaseId: KnowledgeBaseId,
    filename: Schema.String,
    contentType: Schema.String,
    contentLength: Schema.Int,
    storageKey: ObjectKey,
    status: KnowledgeDocumentStatus,
    expiresAt: Schema.DateTimeUtcFromDate,
    createdAt: Schema.DateTimeUtcFromDate
  })
)

export const baseColumns = `id, organization_id AS "organizationId", name, description,
  document_count AS "documentCount", created_at AS "createdAt", updated_at AS "updatedAt"`

export const documentColumns = `d.organization_id AS "organizationId", d.id, d.knowledge_base_id AS "knowledgeBaseId",
  d.filename, d.content_type AS "contentType", d.content_length AS "contentLength", d.storage_key AS "storageKey",
  d.status, d.upload_expires_at AS "expiresAt", d.created_at AS "createdAt"`

/** Decodes a knowledge base. */
export const baseFromRow = (row: object): KnowledgeBase =>
  new KnowledgeBase(decodeBase(row), { disableValidation: true })

/** Decodes a document with the expiry of its upload. */
export const uploadFromRow = (row: object): DocumentUpload => {
  const { expiresAt, organizationId, ...document } = decodeDocument(row)
  return { organizationId, expiresAt, document: new KnowledgeDocument(document, { disableValidation: true }) }
}
