import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { KnowledgeDocument, KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DateTime, Duration } from "effect"
import type { ObjectRemoval } from "../../objects/ObjectRemovals.js"

/** A document, with until when it may be uploaded. */
export interface DocumentUpload {
  readonly organizationId: OrganizationId
  readonly document: KnowledgeDocument
  readonly expiresAt: DateTime.Utc
}

/** How long an upload's link is good for. */
export const uploadsLast = Duration.minutes(15)

/** What has begun in time may take this long: the largest document at the least rate that is waited for. */
const transferLasts = Duration.minutes(15)

/** How long whoever brings or looks for an upload has it to itself; whoever takes longer says so in time. */
export const uploadLease = Duration.minutes(2)

/** Where a document is kept. */
export const documentKey = (organization: OrganizationId, id: KnowledgeDocumentId) =>
  objectKey(organization, "knowledge", id)

/**
 * Where callers put a document who upload past us. Their link works again and again: what was found there is copied, and
 * what comes later changes no document.
 */
export const uploadKey = (organization: OrganizationId, id: KnowledgeDocumentId) =>
  objectKey(organization, "uploads", id)

/** From when on nothing can come by the upload's link any more. */
export const closedAt = ({ expiresAt }: Pick<DocumentUpload, "expiresAt">): DateTime.Utc =>
  DateTime.addDuration(expiresAt, transferLasts)

const removalAt = (upload: DocumentUpload, keyOf: typeof documentKey, dueAt: DateTime.Utc): ObjectRemoval => ({
  organizationId: upload.organizationId,
  key: keyOf(upload.organizationId, upload.document.id),
  dueAt
})

/** What came by its link, and what may still come. */
export const leftByUpload = (upload: DocumentUpload): ObjectRemoval => removalAt(upload, uploadKey, closedAt(upload))

/** What a document that is gone leaves behind: one that may still be uploaded, for as long as it may. */
export const leftByDocument = (upload: DocumentUpload, now: DateTime.Utc): ReadonlyArray<ObjectRemoval> =>
  upload.document.status === "pending_upload"
    ? [removalAt(upload, documentKey, closedAt(upload)), leftByUpload(upload)]
    : [removalAt(upload, documentKey, now)]
