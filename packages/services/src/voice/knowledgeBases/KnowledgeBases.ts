import { ResourceNotFoundError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { PageRequest } from "@switchboard/domain/Page"
import {
  KnowledgeBase,
  KnowledgeBaseId,
  KnowledgeDocument,
  KnowledgeDocumentId
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import type {
  CreateKnowledgeBase,
  RequestUpload,
  UploadTarget
} from "@switchboard/domain/voice/knowledgeBases/KnowledgeBaseRequests"
import { DateTime, Effect, Option } from "effect"
import { newId } from "../../NewId.js"
import { DirectUploads } from "../../objects/DirectUploads.js"
import { ObjectRemovals } from "../../objects/ObjectRemovals.js"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { PublicUrl } from "../../PublicUrl.js"
import { Signatures } from "../../Signatures.js"
import { closedAt, type DocumentUpload, documentKey, leftByDocument, uploadKey, uploadsLast } from "./DocumentUpload.js"
import { KnowledgeBaseRepo } from "./KnowledgeBaseRepo.js"
import { lookAgainIn } from "./SettleUploads.js"
import { UploadSearches } from "./UploadSearches.js"
import { uploadToken } from "./UploadToken.js"

/** Where documents are uploaded, below the service's address; the token comes after it. */
export const uploadsPath = "/v1/uploads/"

/** Objects that are removed while a caller waits; the others go soon after. */
const mostAtOnce = 50

/** The knowledge bases of an organization, and the links by which documents come into them. */
export class KnowledgeBases extends Effect.Service<KnowledgeBases>()("services/KnowledgeBases", {
  effect: Effect.gen(function* () {
    const repo = yield* KnowledgeBaseRepo
    const searches = yield* UploadSearches
    const direct = yield* DirectUploads
    const removals = yield* ObjectRemovals
    const store = yield* ObjectStore
    const signatures = yield* Signatures
    const publicUrl = yield* PublicUrl

    const notFound = (id: string) => new ResourceNotFoundError({ resource: "knowledge base", id })

    const get = Effect.fn("KnowledgeBases.get")(function* (organization: OrganizationId, id: KnowledgeBaseId) {
      yield* searches.searchIn(organization, id)
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

    const linkOf = ({ document, organizationId }: DocumentUpload) =>
      Option.match(direct, {
        onNone: () =>
          Effect.succeed(
            `${publicUrl}${uploadsPath}${uploadToken(signatures, { organizationId, documentId: document.id })}`
          ),
        onSome: ({ presign }) => presign(uploadKey(organizationId, document.id), document, uploadsLast)
      })

    /** A link that takes this one document. */
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
      const upload = { organizationId: organization, document, expiresAt: DateTime.addDuration(now, uploadsLast) }
      // What comes through us is ready when it is there: only what never comes is to be looked for.
      const lookAt = Option.isNone(direct) ? closedAt(upload) : DateTime.addDuration(now, lookAgainIn)
      if (!(yield* repo.addDocument(upload, lookAt))) return yield* notFound(knowledgeBaseId)
      const target: UploadTarget = { uploadUrl: yield* linkOf(upload), documentId: id, storageKey }
      return target
    })

    /** Removes a knowledge base, its documents, and what they consist of: now if the store does it, or soon. */
    const remove = Effect.fn("KnowledgeBases.remove")(function* (organization: OrganizationId, id: KnowledgeBaseId) {
      const now = yield* DateTime.now
      const removed = yield* repo.remove(organization, id, (upload) => leftByDocument(upload, now))
      const left = yield* Effect.mapError(removed, () => notFound(id))
      const due = left.filter(({ dueAt }) => DateTime.lessThanOrEqualTo(dueAt, now)).slice(0, mostAtOnce)
      yield* store.remove(due.map(({ key }) => key)).pipe(Effect.zipRight(removals.done(due)), Effect.ignore)
    })

    return { get, list: repo.list, create, remove, documents, requestUpload } as const
  })
}) {}
