import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { isSameType } from "@switchboard/domain/voice/knowledgeBases/ContentType"
import type { KnowledgeBaseId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DateTime, Duration, Effect, Option } from "effect"
import { DirectUploads } from "../../objects/DirectUploads.js"
import type { ObjectHead } from "../../objects/ObjectStore.js"
import {
  closedAt,
  type DocumentUpload,
  documentKey,
  leftByDocument,
  leftByUpload,
  uploadKey
} from "./DocumentUpload.js"
import { DocumentUploadRepo, type Hold } from "./DocumentUploadRepo.js"
import { newHold } from "./NewHold.js"

/** Looked for while a caller waits, and how long that takes at most. */
const mostOnRead = 20
const patience = Duration.seconds(2)

const atATime = 8

const isAsAsked = ({ document }: DocumentUpload, head: ObjectHead): boolean =>
  head.contentLength === document.contentLength && isSameType(head.contentType, document.contentType)

/** Finds out what became of uploads: those that came past us, straight to the object store, and those that never came. */
export class UploadSearches extends Effect.Service<UploadSearches>()("services/UploadSearches", {
  effect: Effect.gen(function* () {
    const repo = yield* DocumentUploadRepo
    const direct = yield* DirectUploads

    const come = ({ document: { id }, organizationId }: DocumentUpload) =>
      Option.match(direct, {
        onNone: () => Effect.succeed(Option.none<ObjectHead>()),
        onSome: ({ head }) => head(uploadKey(organizationId, id))
      })

    /** Where nobody else can put anything. */
    const keep = ({ document: { id }, organizationId }: DocumentUpload) =>
      Option.match(direct, {
        onNone: () => Effect.void,
        onSome: ({ copy }) => copy(uploadKey(organizationId, id), documentKey(organizationId, id))
      })

    const failed = (upload: DocumentUpload, hold: Hold) =>
      repo.settle(upload, hold, "failed", leftByDocument(upload, hold.now))

    /** What has come is checked again, whatever the store has checked. */
    const search = Effect.fnUntraced(function* (upload: DocumentUpload, hold: Hold) {
      const head = yield* come(upload)
      if (Option.isSome(head)) {
        if (!isAsAsked(upload, head.value)) return yield* failed(upload, hold)
        yield* keep(upload)
        return yield* repo.settle(upload, hold, "ready", [leftByUpload(upload)])
      }
      if (DateTime.greaterThanOrEqualTo(hold.now, closedAt(upload))) return yield* failed(upload, hold)
      yield* repo.release(upload, hold)
      return false
    })

    /** How many of these are settled now. A store that fails is asked again another time. */
    const searchAll = (uploads: ReadonlyArray<DocumentUpload>, hold: Hold) =>
      Effect.map(
        Effect.forEach(
          uploads,
          (upload) =>
            search(upload, hold).pipe(
              Effect.onInterrupt(() => Effect.ignore(repo.release(upload, hold))),
              Effect.catchTag("ExternalServiceError", () => Effect.as(repo.release(upload, hold), false))
            ),
          { concurrency: atATime }
        ),
        (settled) => settled.filter((isSettled) => isSettled).length
      )

    /** Before a knowledge base is shown: what has come to the store is ready. */
    const searchIn = (organization: OrganizationId, base: KnowledgeBaseId) =>
      Option.isNone(direct)
        ? Effect.void
        : Effect.gen(function* () {
            const hold = yield* newHold
            yield* searchAll(yield* repo.holdOf(organization, base, hold, mostOnRead), hold)
          }).pipe(Effect.timeoutOption(patience), Effect.asVoid)

    /** Those of everybody that are due, at most so many; how many there were. */
    const searchDue = Effect.fnUntraced(function* (lookAgainIn: Duration.Duration, limit: number) {
      const hold = yield* newHold
      const due = yield* repo.holdDue(hold, DateTime.addDuration(hold.now, lookAgainIn), limit)
      yield* searchAll(due, hold)
      return due.length
    })

    return { searchIn, searchDue } as const
  })
}) {}
