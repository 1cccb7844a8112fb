import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import {
  type CreateKnowledgeBase,
  KnowledgeBase,
  type KnowledgeBaseFilters,
  KnowledgeBaseId,
  KnowledgeDocumentId,
  type RequestUpload,
  type UploadTarget
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DateTime, type Duration, Effect, Option } from "effect"
import { newId } from "../../NewId.js"
import { DirectUploads } from "../../objects/DirectUploads.js"
import { ObjectRemovals } from "../../objects/ObjectRemovals.js"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { uploadsPath, uploadToken } from "../../objects/UploadLinks.js"
import { PublicUrl } from "../../PublicUrl.js"
import { Signatures } from "../../SecretBox.js"
import { documentKey, documentRemovals, type StoredDocument, uploadKey, uploadLifetime } from "./DocumentUpload.js"
import { KnowledgeBaseRepo } from "./KnowledgeBaseRepo.js"
import { Uploads } from "./Uploads.js"

/** The maximum number of objects removed within the request; a job removes the others. */
const maxImmediateRemovals = 50

/** The knowledge bases of an organization, and the upload links of their documents. */
export class KnowledgeBases extends Effect.Service<KnowledgeBases>()("services/KnowledgeBases", {
  effect: Effect.gen(function* () {
    const repo = yield* KnowledgeBaseRepo
    const { checkPending } = yield* Uploads
    const direct = yield* DirectUploads
    const removals = yield* ObjectRemovals
    const store = yield* ObjectStore
    const signatures = yield* Signatures
    const publicUrl = yield* PublicUrl

    const notFound = (id: string) => new ResourceNotFoundError({ resource: "knowledge base", id })

    const get = Effect.fn("KnowledgeBases.get")(function* (organization: OrganizationId, id: KnowledgeBaseId) {
      yield* checkPending(organization, id)
      return yield* Effect.mapError(yield* repo.find(organization, id), () => notFound(id))
    })

    const list = Effect.fn("KnowledgeBases.list")(function* (
      organization: OrganizationId,
      filters: KnowledgeBaseFilters,
      page: PageRequest
    ) {
      yield* checkPending(organization, null)
      return yield* repo.list(organization, filters, page)
    })

    const create = Effect.fn("KnowledgeBases.create")(function* (
      organization: OrganizationId,
      { description, name }: CreateKnowledgeBase
    ) {
      const { id, now } = yield* newId(KnowledgeBaseId)
      const base = new KnowledgeBase({
        ...{ id, organizationId: organization, name, description, documentCount: 0 },
        ...{ createdAt: now, updatedAt: now }
      })
      yield* repo.insert(base)
      return base
    })

    const documents = Effect.fn("KnowledgeBases.documents")(function* (
      organization: OrganizationId,
      id: KnowledgeBaseId,
      page: PageRequest
    ) {
      yield* get(organization, id)
      return yield* repo.documents(organization, id, page)
    })

    const targetOf = Effect.fnUntraced(function* (document: StoredDocument, lifetime: Duration.Duration) {
      const { id: documentId, organizationId, storageKey } = document
      const uploadUrl = yield* Option.match(direct, {
        onNone: () =>
          Effect.succeed(`${publicUrl}${uploadsPath}${uploadToken(signatures, { organizationId, documentId })}`),
        onSome: ({ presign }) => presign(uploadKey(document), document, lifetime)
      })
      const target: UploadTarget = { uploadUrl, documentId, storageKey }
      return target
    })

    /** Creates a link to upload one document. */
    const requestUpload = Effect.fn("KnowledgeBases.requestUpload")(function* (
      organizationId: OrganizationId,
      knowledgeBaseId: KnowledgeBaseId,
      request: RequestUpload
    ) {
      const { id, now } = yield* newId(KnowledgeDocumentId)
      const document: StoredDocument = {
        ...{ ...request, id, organizationId, knowledgeBaseId, storageKey: documentKey(organizationId, id) },
        ...{ status: "pending_upload", createdAt: now, uploadExpiresAt: DateTime.addDuration(now, uploadLifetime) }
      }
      if (!(yield* repo.addDocument(document))) return yield* notFound(knowledgeBaseId)
      return yield* targetOf(document, uploadLifetime)
    })

    /** The link of an earlier request, while it is open. */
    const openUpload = Effect.fn("KnowledgeBases.openUpload")(function* (
      organization: OrganizationId,
      documentId: KnowledgeDocumentId
    ) {
      const found = yield* repo.findDocument(organization, documentId)
      const document = yield* Effect.mapError(
        found,
        () => new ResourceNotFoundError({ resource: "document", id: documentId })
      )
      const now = yield* DateTime.now
      if (document.status !== "pending_upload" || DateTime.lessThanOrEqualTo(document.uploadExpiresAt, now)) {
        return yield* new ConflictError({
          message: "The upload link of the earlier request is used or expired: request another with a new key",
          resource: "document"
        })
      }
      return yield* targetOf(document, DateTime.distanceDuration(now, document.uploadExpiresAt))
    })

    /**
     * Removes a knowledge base with its documents and their objects. Objects that can't be removed now are removed by a
     * job.
     */
    const remove = Effect.fn("KnowledgeBases.remove")(function* (organization: OrganizationId, id: KnowledgeBaseId) {
      const now = yield* DateTime.now
      const removed = yield* repo.remove(organization, id, (document) => documentRemovals(document, now))
      const left = yield* Effect.mapError(removed, () => notFound(id))
      const due = left.filter(({ dueAt }) => DateTime.lessThanOrEqualTo(dueAt, now)).slice(0, maxImmediateRemovals)
      yield* store.remove(due.map(({ key }) => key)).pipe(Effect.zipRight(removals.done(due)), Effect.ignore)
    })

    return { get, list, create, remove, documents, requestUpload, openUpload } as const
  })
}) {}
