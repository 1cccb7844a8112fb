import { ConflictError, ResourceNotFoundError, ValidationError } from "@switchboard/domain/Errors"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { isSameType, KnowledgeDocumentId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { type Context, DateTime, Duration, Effect, Exit, Option, Ref, Schema, Stream } from "effect"
import { ObjectStore } from "../../objects/ObjectStore.js"
import { Signatures } from "../../SecretBox.js"
import { type DocumentUpload, uploadLease } from "./DocumentUpload.js"
import { DocumentUploadRepo, type Hold } from "./DocumentUploadRepo.js"

/** A hold from now on. */
export const newHold = Effect.map(DateTime.now, (now): Hold => ({ now, until: DateTime.addDuration(now, uploadLease) }))

/** The document of an upload link. Its expiry is stored with the document. */
interface UploadToken {
  readonly organizationId: OrganizationId
  readonly documentId: KnowledgeDocumentId
}

const purpose = "document-upload"

/** A signed token, safe in a URL. */
export const uploadToken = (
  signatures: Context.Tag.Service<Signatures>,
  { documentId, organizationId }: UploadToken
): string => {
  const subject = `${organizationId}.${documentId}`
  return `${subject}.${signatures.sign(purpose, subject)}`
}

const decode = Schema.decodeUnknownOption(
  Schema.Struct({ organizationId: OrganizationId, documentId: KnowledgeDocumentId })
)

/** None if the signature is invalid. */
const parseUploadToken = (signatures: Context.Tag.Service<Signatures>, text: string): Option.Option<UploadToken> => {
  const [organizationId = "", documentId = "", signature = "", ...rest] = text.split(".")
  return rest.length === 0 && signatures.verify(purpose, `${organizationId}.${documentId}`, signature)
    ? decode({ organizationId, documentId })
    : Option.none()
}

/** An upload. */
export interface UploadBody<E> {
  readonly contentType: string
  /** Null if the request has no Content-Length. */
  readonly contentLength: number | null
  readonly bytes: Stream.Stream<Uint8Array, E>
}

const invalid = (field: string, sentence: string) =>
  new ValidationError({ message: "The upload does not match its link", fields: { [field]: [sentence] } })

const otherLength = (length: number) => invalid("contentLength", `must be ${length} octets, as in the upload request`)

/** Fails as soon as the stream is longer than `length`, or at its end if it is shorter. */
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
      const { documentId, organizationId } = yield* parseUploadToken(signatures, token)
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

    const storeBody = <E>(upload: DocumentUpload, held: Ref.Ref<Hold>, { bytes }: UploadBody<E>) => {
      const { contentLength, contentType, storageKey } = upload.document
      const arrived = store.putStream(storageKey, exactly(contentLength, bytes), { contentLength, contentType })
      return Effect.raceFirst(Effect.as(arrived, true), renewing(upload, held)).pipe(
        Effect.zip(Ref.get(held)),
        Effect.flatMap(([isOurs, hold]) => (isOurs ? repo.settle(upload, hold, "ready", []) : Effect.succeed(false)))
      )
    }

    /** Stores the document of a link, once, if its type and length are the requested ones. */
    const receive = Effect.fn("Uploads.receive")(function* <E>(token: string, body: UploadBody<E>) {
      const now = yield* DateTime.now
      const upload = yield* Effect.catchTag(find(token, now), "NoSuchElementException", () => notFound(token))
      const { contentLength, contentType } = upload.document
      if (!isSameType(body.contentType, contentType)) {
        return yield* invalid("contentType", `must be ${contentType}, as in the upload request`)
      }
      if (body.contentLength !== null && body.contentLength !== contentLength) {
        return yield* otherLength(contentLength)
      }
      const held = yield* Ref.make(yield* newHold)
      const holdOf = <A, E>(use: (upload: DocumentUpload, hold: Hold) => Effect.Effect<A, E>) =>
        Effect.flatMap(Ref.get(held), (hold) => use(upload, hold))
      const isKept = yield* Effect.acquireUseRelease(
        Effect.filterOrFail(
          holdOf(repo.hold),
          (isFree) => isFree,
          () => alreadyUploaded
        ),
        () => storeBody(upload, held, body),
        // After an incomplete upload the link may be used again.
        (_, exit) => (Exit.isSuccess(exit) ? Effect.void : Effect.ignore(holdOf(repo.release)))
      )
      if (!isKept) return yield* notFound(token)
    })

    return { receive } as const
  })
}) {}
