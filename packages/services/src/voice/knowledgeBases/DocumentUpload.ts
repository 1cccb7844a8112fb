import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { KnowledgeDocument, KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DateTime, Duration } from "effect"
import type { ObjectRemoval } from "../../objects/ObjectRemovals.js"

/** A document with the expiry of its upload link. */
export interface DocumentUpload {
  readonly organizationId: OrganizationId
  readonly document: KnowledgeDocument
  readonly expiresAt: DateTime.Utc
}

/** The validity of an upload link. */
export const uploadLifetime = Duration.minutes(15)

/** An upload that began in time may take this long: the largest document at the minimum rate. */
const maxTransferTime = Duration.minutes(15)

/** The duration of a hold without a renewal. */
export const uploadLease = Duration.minutes(2)

/** The object key of a document. */
export const documentKey = (organization: OrganizationId, id: KnowledgeDocumentId) =>
  objectKey(organization, "knowledge", id)

/**
 * The object key for a direct upload. Its link works repeatedly: the object is copied once, so that later uploads don't
 * change the document.
 */
export const uploadKey = (organization: OrganizationId, id: KnowledgeDocumentId) =>
  objectKey(organization, "uploads", id)

/** The time after which the upload link can't store an object any more. */
export const closedAt = ({ expiresAt }: Pick<DocumentUpload, "expiresAt">): DateTime.Utc =>
  DateTime.addDuration(expiresAt, maxTransferTime)

const removalAt = (upload: DocumentUpload, keyOf: typeof documentKey, dueAt: DateTime.Utc): ObjectRemoval => ({
  organizationId: upload.organizationId,
  key: keyOf(upload.organizationId, upload.document.id),
  dueAt
})

/** The removal of the directly uploaded object, due when its upload link has expired. */
export const uploadRemoval = (upload: DocumentUpload): ObjectRemoval => removalAt(upload, uploadKey, closedAt(upload))

/** The removals for a deleted document. A pending one may still be uploaded until its link is closed. */
export const documentRemovals = (upload: DocumentUpload, now: DateTime.Utc): ReadonlyArray<ObjectRemoval> =>
  upload.document.status === "pending_upload"
    ? [removalAt(upload, documentKey, closedAt(upload)), uploadRemoval(upload)]
    : [removalAt(upload, documentKey, now)]
