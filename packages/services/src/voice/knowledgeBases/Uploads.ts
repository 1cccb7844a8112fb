import { ConflictError, ResourceNotFoundError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DateTime, Duration, Effect, Exit, Option, Ref, Schema, type Stream } from "effect"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { checkedUpload, openUploadToken, type UploadBody } from "../../objects/UploadLinks.js"
import { Signatures } from "../../SecretBox.js"
import { type DocumentUpload, uploadLease } from "./DocumentUpload.js"
import { DocumentUploadRepo, type Hold } from "./DocumentUploadRepo.js"

/** A hold from now on. */
export const newHold = Effect.map(DateTime.now, (now): Hold => ({ now, until: DateTime.addDuration(now, uploadLease) }))

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ organizationId: OrganizationId, documentId: KnowledgeDocumentId })
)

/** A quarter of the hold, so that a hold survives a short database outage. */
const renewEvery = Duration.seconds(30)

/** Uploads of documents through this service. */
export class Uploads extends Effect.Service<Uploads>()("services/Uploads", {
  effect: Effect.gen(function* () {
    const repo = yield* DocumentUploadRepo
    const store = yield* ObjectStore
    const signatures = yield* Signatures

    const notFound = (token: string) => new ResourceNotFoundError({ resource: "upload", id: token })
    const alreadyUploaded = new ConflictError({
      message: "The document is uploaded, or being uploaded",
      resource: "document"
    })

    /** The upload of a link. An expired link is not found. */
    const find = Effect.fnUntraced(function* (token: string, now: DateTime.Utc) {
      const { documentId, organizationId } = yield* Option.flatMap(openUploadToken(signatures, token), decode)
      const upload = yield* Effect.flatten(repo.find(organizationId, documentId))
      if (upload.document.status === "ready") return yield* alreadyUploaded
      return yield* Option.liftPredicate(
        upload,
        ({ document, expiresAt }) => document.status === "pending_upload" && DateTime.greaterThan(expiresAt, now)
      )
    })

    /** Extends the hold while the document is received. Ends when the hold is lost. */
    const renewing = (upload: DocumentUpload, held: Ref.Ref<Hold>) =>
      Effect.gen(function* () {
        const next = yield* newHold
        const isOurs = yield* repo.renew(upload, yield* Ref.get(held), next)
        if (isOurs) yield* Ref.set(held, next)
        return isOurs
      }).pipe(
        Effect.uninterruptible,
        // During a database outage no other process can take the hold, so this one continues.
        Effect.catchTag("ServiceUnavailableError", () => Effect.succeed(true)),
        Effect.delay(renewEvery),
        Effect.repeat({ until: (isOurs) => !isOurs })
      )

    const storeBody = <E>(upload: DocumentUpload, held: Ref.Ref<Hold>, bytes: Stream.Stream<Uint8Array, E>) => {
      const arrived = store.putStream(upload.document.storageKey, bytes, upload.document)
      return Effect.raceFirst(Effect.as(arrived, true), renewing(upload, held)).pipe(
        Effect.zip(Ref.get(held)),
        Effect.flatMap(([isOurs, hold]) => (isOurs ? repo.settle(upload, hold, "ready", []) : Effect.succeed(false)))
      )
    }

    /** Stores the document of a link, once, if its type and length are the requested ones. */
    const receive = Effect.fn("Uploads.receive")(function* <E>(token: string, body: UploadBody<E>) {
      const now = yield* DateTime.now
      const upload = yield* Effect.catchTag(find(token, now), "NoSuchElementException", () => notFound(token))
      const bytes = yield* checkedUpload(body, upload.document)
      const held = yield* Ref.make(yield* newHold)
      const holdOf = <A, E>(use: (upload: DocumentUpload, hold: Hold) => Effect.Effect<A, E>) =>
        Effect.flatMap(Ref.get(held), (hold) => use(upload, hold))
      const isKept = yield* Effect.acquireUseRelease(
        Effect.filterOrFail(
          holdOf(repo.hold),
          (isFree) => isFree,
          () => alreadyUploaded
        ),
        () => storeBody(upload, held, bytes),
        // After an incomplete upload the link may be used again.
        (_, exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.ignore(holdOf(repo.release)))
      )
      if (!isKept) return yield* notFound(token)
    })

    return { receive } as const
  })
}) {}
