import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { isSameType } from "@switchboard/domain/voice/knowledgeBases/ContentType"
import { DateTime, Duration, Effect, Exit, Option, Ref, Stream } from "effect"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { Signatures } from "../../Signatures.js"
import type { DocumentUpload } from "./DocumentUpload.js"
import { DocumentUploadRepo, type Hold } from "./DocumentUploadRepo.js"
import { newHold } from "./NewHold.js"
import { parseUploadToken } from "./UploadToken.js"

/** What somebody brings by an upload's link. */
export interface Brought<E> {
  readonly contentType: string
  /** Null if it is not said. */
  readonly contentLength: number | null
  readonly bytes: Stream.Stream<Uint8Array, E>
}

const invalid = (field: string, sentence: string) =>
  new ValidationError({ message: "The upload is not what its link is for", fields: { [field]: [sentence] } })

const otherLength = (length: number) => invalid("contentLength", `must be ${length} octets, as was asked for`)

/** The same octets; they fail as soon as there are too many, and at the end if there are too few. */
const exactly = <E>(length: number, bytes: Stream.Stream<Uint8Array, E>) =>
  Stream.unwrap(
    Effect.map(Ref.make(0), (read) =>
      Stream.concat(
        Stream.tap(bytes, (piece) =>
          Effect.flatMap(
            Ref.updateAndGet(read, (sum) => sum + piece.byteLength),
            (sum) => (sum > length ? otherLength(length) : Effect.void)
          )
        ),
        Stream.execute(Effect.flatMap(Ref.get(read), (sum) => (sum < length ? otherLength(length) : Effect.void)))
      )
    )
  )

/** Often enough that a hold outlasts a database that is away for a moment. */
const renewEvery = Duration.seconds(30)

/** Documents that come through us. */
export class Uploads extends Effect.Service<Uploads>()("services/Uploads", {
  effect: Effect.gen(function* () {
    const repo = yield* DocumentUploadRepo
    const store = yield* ObjectStore
    const signatures = yield* Signatures

    const notFound = (token: string) => new ResourceNotFoundError({ resource: "upload", id: token })
    const taken = new ConflictError({ message: "The document is uploaded, or being uploaded", resource: "document" })

    /** What a link is for; a link that is over is like one that never was. */
    const find = Effect.fnUntraced(function* (token: string, now: DateTime.Utc) {
      const { documentId, organizationId } = yield* parseUploadToken(signatures, token)
      const upload = yield* Effect.flatten(repo.find(organizationId, documentId))
      if (upload.document.status === "ready") return yield* taken
      return yield* Option.liftPredicate(
        upload,
        ({ document, expiresAt }) => document.status === "pending_upload" && DateTime.greaterThan(expiresAt, now)
      )
    })

    /** Keeps hold of an upload for as long as its octets come; ends when the hold is lost. */
    const renewing = (upload: DocumentUpload, held: Ref.Ref<Hold>) =>
      Effect.gen(function* () {
        const next = yield* newHold
        const isOurs = yield* repo.renew(upload, yield* Ref.get(held), next)
        if (isOurs) yield* Ref.set(held, next)
        return isOurs
      }).pipe(
        Effect.uninterruptible,
        // While the database can't be reached nobody else gets it either, until the hold is over.
        Effect.catchTag("ServiceUnavailableError", () => Effect.succeed(true)),
        Effect.delay(renewEvery),
        Effect.repeat({ until: (isOurs) => !isOurs })
      )

    const keep = <E>(upload: DocumentUpload, held: Ref.Ref<Hold>, { bytes }: Brought<E>) => {
      const { contentLength, contentType, storageKey } = upload.document
      const come = store.putStream(storageKey, exactly(contentLength, bytes), { contentLength, contentType })
      return Effect.raceFirst(Effect.as(come, true), renewing(upload, held)).pipe(
        Effect.zip(Ref.get(held)),
        Effect.flatMap(([isOurs, hold]) => (isOurs ? repo.settle(upload, hold, "ready", []) : Effect.succeed(false)))
      )
    }

    /** Takes a document by its link, once, if it is what the link is for. */
    const receive = Effect.fn("Uploads.receive")(function* <E>(token: string, brought: Brought<E>) {
      const now = yield* DateTime.now
      const upload = yield* Effect.catchTag(find(token, now), "NoSuchElementException", () => notFound(token))
      const { contentLength, contentType } = upload.document
      if (!isSameType(brought.contentType, contentType)) {
        return yield* invalid("contentType", `must be ${contentType}, as was asked for`)
      }
      if (brought.contentLength !== null && brought.contentLength !== contentLength) {
        return yield* otherLength(contentLength)
      }
      const held = yield* Ref.make(yield* newHold)
      const holdOf = <A, E>(use: (upload: DocumentUpload, hold: Hold) => Effect.Effect<A, E>) =>
        Effect.flatMap(Ref.get(held), (hold) => use(upload, hold))
      const isKept = yield* Effect.acquireUseRelease(
        Effect.filterOrFail(
          holdOf(repo.hold),
          (isFree) => isFree,
          () => taken
        ),
        () => keep(upload, held, brought),
        // Without the whole document the link is good for another try.
        (_, exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.ignore(holdOf(repo.release)))
      )
      if (!isKept) return yield* notFound(token)
    })

    return { receive } as const
  })
}) {}
