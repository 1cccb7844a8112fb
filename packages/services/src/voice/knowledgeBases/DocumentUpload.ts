import { objectKey } from "@switchboard/domain/objects/ObjectKey"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Timestamp } from "@switchboard/domain/Timestamp"
import { KnowledgeDocument, type KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DateTime, Duration, Effect, Schema } from "effect"
import type { ObjectRemoval } from "../../objects/ObjectRemovals.js"

/** A document with the expiry of its upload link. */
export const StoredDocument = Schema.Struct({
  ...KnowledgeDocument.fields,
  organizationId: OrganizationId,
  uploadExpiresAt: Timestamp
})
export type StoredDocument = typeof StoredDocument.Type

/** The validity of an upload link. */
export const uploadLifetime = Duration.minutes(15)

/** An upload that began in time may take this long: the largest document at the minimum rate. */
const maxTransferTime = Duration.minutes(15)

/** The time in which one process stores a complete upload. */
const holdTime = Duration.minutes(1)

/** An exclusive hold of an upload. */
export interface Hold {
  readonly now: DateTime.Utc
  readonly until: DateTime.Utc
}

/** A hold from now on. */
export const newHold = Effect.map(DateTime.now, (now): Hold => ({ now, until: DateTime.addDuration(now, holdTime) }))

/** The object key of a document. */
export const documentKey = (organization: OrganizationId, id: KnowledgeDocumentId) =>
  objectKey(organization, "knowledge", id)

/**
 * The object key for a direct upload. Its link works repeatedly: the object is copied once, so that later uploads don't
 * change the document.
 */
export const uploadKey = ({ id, organizationId }: StoredDocument) => objectKey(organizationId, "uploads", id)

/** The time after which the upload link can't store an object any more. */
export const closedAt = ({ uploadExpiresAt }: StoredDocument): DateTime.Utc =>
  DateTime.addDuration(uploadExpiresAt, maxTransferTime)

/** The removal of the directly uploaded object, due when its upload link has expired. */
export const uploadRemoval = (document: StoredDocument): ObjectRemoval => ({
  organizationId: document.organizationId,
  key: uploadKey(document),
  dueAt: closedAt(document)
})

/** The removals for a document that is deleted or failed. A pending one may still be uploaded until its link is closed. */
export const documentRemovals = (document: StoredDocument, now: DateTime.Utc): ReadonlyArray<ObjectRemoval> => {
  const { organizationId, status, storageKey: key } = document
  return status === "pending_upload"
    ? [{ organizationId, key, dueAt: closedAt(document) }, uploadRemoval(document)]
    : [{ organizationId, key, dueAt: now }]
}
