import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { isSameType } from "@switchboard/domain/MediaType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { KnowledgeBaseId } from "@switchboard/domain/voice/knowledgeBases/KnowledgeBase"
import { DateTime, Duration, Effect, Option } from "effect"
import { DirectUploads } from "../../objects/DirectUploads.js"
import type { ObjectHead } from "../../objects/ObjectStore.js"
import type { ScheduledJob } from "../../ScheduledJob.js"
import {
  closedAt,
  type DocumentUpload,
  documentKey,
  documentRemovals,
  uploadKey,
  uploadRemoval
} from "./DocumentUpload.js"
import { DocumentUploadRepo, type Hold } from "./DocumentUploadRepo.js"
import { newHold } from "./Uploads.js"

/** Limits of the checks within one request. */
const maxSearchesPerRead = 20
const readCheckTimeout = Duration.seconds(2)

const checkConcurrency = 8

const matchesRequest = ({ document }: DocumentUpload, head: ObjectHead): boolean =>
  head.contentLength === document.contentLength && isSameType(head.contentType, document.contentType)

/** Finds direct uploads that have arrived, and fails the others once their links are closed. */
export class UploadChecks extends Effect.Service<UploadChecks>()("services/UploadChecks", {
  effect: Effect.gen(function* () {
    const repo = yield* DocumentUploadRepo
    const direct = yield* DirectUploads

    const arrived = ({ document: { id }, organizationId }: DocumentUpload) =>
      Option.match(direct, {
        onNone: () => Effect.succeed(Option.none<ObjectHead>()),
        onSome: ({ head }) => head(uploadKey(organizationId, id))
      })

    /** Copies the object to a key that the upload link can't write to. */
    const keep = ({ document: { id }, organizationId }: DocumentUpload) =>
      Option.match(direct, {
        onNone: () => Effect.void,
        onSome: ({ copy }) => copy(uploadKey(organizationId, id), documentKey(organizationId, id))
      })

    const failed = (upload: DocumentUpload, hold: Hold) =>
      repo.settle(upload, hold, "failed", documentRemovals(upload, hold.now))

    /** Length and type are checked even if the store checks them too. */
    const check = Effect.fnUntraced(function* (upload: DocumentUpload, hold: Hold) {
      const head = yield* arrived(upload)
      if (Option.isSome(head)) {
        if (!matchesRequest(upload, head.value)) return yield* failed(upload, hold)
        yield* keep(upload)
        return yield* repo.settle(upload, hold, "ready", [uploadRemoval(upload)])
      }
      if (DateTime.greaterThanOrEqualTo(hold.now, closedAt(upload))) return yield* failed(upload, hold)
      yield* repo.release(upload, hold)
      return false
    })

    /** Returns the number of settled uploads. A failed check is repeated later. */
    const checkAll = (uploads: ReadonlyArray<DocumentUpload>, hold: Hold) =>
      Effect.map(
        Effect.forEach(
          uploads,
          (upload) =>
            check(upload, hold).pipe(
              Effect.onInterrupt(() => Effect.ignore(repo.release(upload, hold))),
              Effect.catchTag("ExternalServiceError", () => Effect.as(repo.release(upload, hold), false))
            ),
          { concurrency: checkConcurrency }
        ),
        (settled) => settled.filter((isSettled) => isSettled).length
      )

    /** Called before a knowledge base is read, so that its arrived documents are ready. */
    const checkBase = (organization: OrganizationId, base: KnowledgeBaseId) =>
      Option.isNone(direct)
        ? Effect.void
        : Effect.gen(function* () {
            const hold = yield* newHold
            yield* checkAll(yield* repo.holdOf(organization, base, hold, maxSearchesPerRead), hold)
          }).pipe(Effect.timeoutOption(readCheckTimeout), Effect.asVoid)

    /** Checks up to `limit` due uploads of all organizations. Returns their number. */
    const checkDue = Effect.fnUntraced(function* (checkInterval: Duration.Duration, limit: number) {
      const hold = yield* newHold
      const due = yield* repo.holdDue(hold, DateTime.addDuration(hold.now, checkInterval), limit)
      yield* checkAll(due, hold)
      return due.length
    })

    return { checkBase, checkDue } as const
  })
}) {}

const batch = 50

/** The delay until a direct upload is noticed, unless the knowledge base is read before. */
export const checkInterval = Duration.seconds(30)

/** Checks pending uploads: ready, or failed if nothing arrived in time. */
export const checkUploads: Effect.Effect<ScheduledJob, never, UploadChecks> = Effect.map(
  UploadChecks,
  ({ checkDue }) => {
    const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
      const found = yield* checkDue(checkInterval, batch)
      return found < batch ? found : found + (yield* round)
    })
    return { what: "Checking uploads", every: checkInterval, round }
  }
)
