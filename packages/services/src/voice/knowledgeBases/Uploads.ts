import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { isSameType } from "@switchboard/domain/MediaType"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type KnowledgeBaseId, KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DateTime, Duration, Effect, Fiber, Option, Ref, Schema, Stream } from "effect"
import { DirectUploads } from "../../objects/DirectUploads.js"
import { type ObjectHead, ObjectStore } from "../../objects/ObjectStore.js"
import { checkedUpload, openUploadToken, type UploadBody } from "../../objects/UploadLinks.js"
import { requestDeadline } from "../../RequestDeadline.js"
import { Signatures } from "../../SecretBox.js"
import { closedAt, documentRemovals, newHold, type StoredDocument, uploadKey, uploadRemoval } from "./DocumentUpload.js"
import { KnowledgeBaseRepo } from "./KnowledgeBaseRepo.js"

/** Limits of the checks before a read, and the time that the read waits for them. */
const maxChecks = 200
const checkConcurrency = 8
const checkTimeout = Duration.seconds(2)

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ organizationId: OrganizationId, documentId: KnowledgeDocumentId })
)

const alreadyUploaded = new ConflictError({
  message: "The document is uploaded, or being uploaded",
  resource: "document"
})

/** Uploads of documents, through this service or directly to the object store. */
export class Uploads extends Effect.Service<Uploads>()("services/Uploads", {
  effect: Effect.gen(function* () {
    const repo = yield* KnowledgeBaseRepo
    const store = yield* ObjectStore
    const direct = yield* DirectUploads
    const signatures = yield* Signatures

    /** Stores the document of a link, once, if its type and length are the requested ones. An expired link is not found. */
    const receive = Effect.fn("Uploads.receive")(function* <E>(token: string, body: UploadBody<E>) {
      const now = yield* DateTime.now
      const notFound = new ResourceNotFoundError({ resource: "upload", id: token })
      const link = Option.flatMap(openUploadToken(signatures, token), decode)
      const { documentId, organizationId } = yield* Effect.mapError(link, () => notFound)
      const document = yield* Effect.mapError(yield* repo.findDocument(organizationId, documentId), () => notFound)
      if (document.status === "ready") return yield* alreadyUploaded
      if (document.status === "failed" || DateTime.lessThanOrEqualTo(document.uploadExpiresAt, now)) {
        return yield* notFound
      }
      const bytes = yield* checkedUpload(body, document)
      const held = yield* Ref.make(yield* newHold)
      // Of several uploads, the first complete one holds the document.
      const hold = Effect.gen(function* () {
        yield* Ref.set(held, yield* newHold)
        if (yield* repo.hold(document, yield* Ref.get(held))) return
        return yield* Option.isNone(yield* repo.findDocument(organizationId, documentId)) ? notFound : alreadyUploaded
      })
      yield* store.putStream(document.storageKey, Stream.concat(bytes, Stream.execute(hold)), document)
      if (!(yield* repo.settle(document, yield* Ref.get(held), "ready", []))) return yield* notFound
    })

    const headOf = (document: StoredDocument) =>
      Option.match(direct, {
        onNone: () => Effect.succeed(Option.none<ObjectHead>()),
        onSome: ({ head }) => head(uploadKey(document))
      })

    /** Copies the object to a key that the upload link can't write to. */
    const keep = (document: StoredDocument) =>
      Option.match(direct, {
        onNone: () => Effect.void,
        onSome: ({ copy }) => copy(uploadKey(document), document.storageKey)
      })

    /** Length and type are checked even if the store checks them too. */
    const check = Effect.fnUntraced(function* (document: StoredDocument) {
      const head = yield* headOf(document)
      const hold = yield* newHold
      if (Option.isNone(head) && DateTime.lessThan(hold.now, closedAt(document))) return
      if (!(yield* repo.hold(document, hold))) return
      const { contentLength, contentType } = document
      const isKept = Option.exists(
        head,
        (object) => object.contentLength === contentLength && isSameType(object.contentType, contentType)
      )
      if (isKept) yield* keep(document)
      const left = isKept ? [uploadRemoval(document)] : documentRemovals(document, hold.now)
      yield* repo.settle(document, hold, isKept ? "ready" : "failed", left)
    })

    /**
     * Finds direct uploads that have arrived, and fails documents with a closed link, before knowledge bases are read. A
     * check that takes longer continues; one that fails is repeated by a later read.
     */
    const checkPending = Effect.fnUntraced(function* (organization: OrganizationId, base: KnowledgeBaseId | null) {
      const pending = yield* repo.pendingDocuments(organization, base, maxChecks)
      if (pending.length === 0) return
      const checks = yield* Effect.forEach(pending, (document) => Effect.ignore(check(document)), {
        concurrency: checkConcurrency,
        discard: true
      }).pipe(Effect.locally(requestDeadline, null), Effect.forkDaemon)
      yield* Effect.timeoutOption(Fiber.join(checks), checkTimeout)
    })

    return { receive, checkPending } as const
  })
}) {}
