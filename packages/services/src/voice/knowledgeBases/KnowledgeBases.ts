import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import {
  type CreateKnowledgeBase,
  KnowledgeBase,
  KnowledgeBaseId,
  KnowledgeDocument,
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
import {
  closedAt,
  type DocumentUpload,
  documentKey,
  documentRemovals,
  uploadKey,
  uploadLifetime
} from "./DocumentUpload.js"
import { DocumentUploadRepo } from "./DocumentUploadRepo.js"
import { KnowledgeBaseRepo } from "./KnowledgeBaseRepo.js"
import { checkInterval, UploadChecks } from "./UploadChecks.js"

/** The maximum number of objects removed within the request; a job removes the others. */
const maxImmediateRemovals = 50

/** The knowledge bases of an organization, and the upload links of their documents. */
export class KnowledgeBases extends Effect.Service<KnowledgeBases>()("services/KnowledgeBases", {
  effect: Effect.gen(function* () {
    const repo = yield* KnowledgeBaseRepo
    const uploads = yield* DocumentUploadRepo
    const checks = yield* UploadChecks
    const direct = yield* DirectUploads
    const removals = yield* ObjectRemovals
    const store = yield* ObjectStore
    const signatures = yield* Signatures
    const publicUrl = yield* PublicUrl

    const notFound = (id: string) => new ResourceNotFoundError({ resource: "knowledge base", id })

    const get = Effect.fn("KnowledgeBases.get")(function* (organization: OrganizationId, id: KnowledgeBaseId) {
      yield* checks.checkBase(organization, id)
      return yield* Effect.mapError(yield* repo.find(organization, id), () => notFound(id))
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

    const linkOf = ({ document, organizationId }: DocumentUpload, lifetime: Duration.Duration) =>
      Option.match(direct, {
        onNone: () =>
          Effect.succeed(
            `${publicUrl}${uploadsPath}${uploadToken(signatures, { organizationId, documentId: document.id })}`
          ),
        onSome: ({ presign }) => presign(uploadKey(organizationId, document.id), document, lifetime)
      })

    /** Creates a link to upload one document. */
    const requestUpload = Effect.fn("KnowledgeBases.requestUpload")(function* (
      organization: OrganizationId,
      knowledgeBaseId: KnowledgeBaseId,
      request: RequestUpload
    ) {
      const { id, now } = yield* newId(KnowledgeDocumentId)
      const storageKey = documentKey(organization, id)
      const document = new KnowledgeDocument({
        ...{ id, knowledgeBaseId, ...request, storageKey },
        ...{ status: "pending_upload", createdAt: now }
      })
      const upload = { organizationId: organization, document, expiresAt: DateTime.addDuration(now, uploadLifetime) }
      // An upload through this service is ready when it is stored; the check is only for uploads that never arrive.
      const lookAt = Option.isNone(direct) ? closedAt(upload) : DateTime.addDuration(now, checkInterval)
      if (!(yield* repo.addDocument(upload, lookAt))) return yield* notFound(knowledgeBaseId)
      const target: UploadTarget = { uploadUrl: yield* linkOf(upload, uploadLifetime), documentId: id, storageKey }
      return target
    })

    /** The link of an earlier request, while it is open. */
    const openUpload = Effect.fn("KnowledgeBases.openUpload")(function* (
      organization: OrganizationId,
      documentId: KnowledgeDocumentId
    ) {
      const found = yield* uploads.find(organization, documentId)
      const upload = yield* Effect.mapError(
        found,
        () => new ResourceNotFoundError({ resource: "document", id: documentId })
      )
      const { document, expiresAt } = upload
      const now = yield* DateTime.now
      if (document.status !== "pending_upload" || DateTime.lessThanOrEqualTo(expiresAt, now)) {
        return yield* new ConflictError({
          message: "The upload link of the earlier request is used or expired: request another with a new key",
          resource: "document"
        })
      }
      const target: UploadTarget = {
        uploadUrl: yield* linkOf(upload, DateTime.distanceDuration(now, expiresAt)),
        documentId,
        storageKey: document.storageKey
      }
      return target
    })

    /**
     * Removes a knowledge base with its documents and their objects. Objects that can't be removed now are removed by a
     * job.
     */
    const remove = Effect.fn("KnowledgeBases.remove")(function* (organization: OrganizationId, id: KnowledgeBaseId) {
      const now = yield* DateTime.now
      const removed = yield* repo.remove(organization, id, (upload) => documentRemovals(upload, now))
      const left = yield* Effect.mapError(removed, () => notFound(id))
      const due = left.filter(({ dueAt }) => DateTime.lessThanOrEqualTo(dueAt, now)).slice(0, maxImmediateRemovals)
      yield* store.remove(due.map(({ key }) => key)).pipe(Effect.zipRight(removals.done(due)), Effect.ignore)
    })

    return { get, list: repo.list, create, remove, documents, requestUpload, openUpload } as const
  })
}) {}
