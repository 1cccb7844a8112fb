import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DateTime, Effect } from "effect"
import { AttachmentRepo, unusedRetention } from "../attachments/AttachmentRepo.js"
import type { ScheduledJob } from "../ScheduledJob.js"
import { DraftRepo } from "./DraftRepo.js"

const batch = 100

/** Stores the outcome of interrupted submissions, and removes files that no draft has named for a week. */
export const cleanUpDrafts: Effect.Effect<ScheduledJob, never, AttachmentRepo | DraftRepo> = Effect.gen(function* () {
  const drafts = yield* DraftRepo
  const attachments = yield* AttachmentRepo

  const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
    const now = yield* DateTime.now
    const left = yield* drafts.listExpiredHolds(now, batch)
    yield* Effect.forEach(
      left,
      ({ id, organizationId }) =>
        drafts
          .change(organizationId, id, DateTime.addDuration(now, unusedRetention), ({ draft }) =>
            Effect.succeed({ draft, heldUntil: null })
          )
          // The change does not name new files.
          .pipe(Effect.catchTag("ResourceNotFoundError", Effect.die)),
      { discard: true }
    )
    const removed = yield* attachments.removeUnused(now, batch)
    const done = left.length + removed
    return left.length < batch && removed < batch ? done : done + (yield* round)
  })

  return { what: "Cleaning up drafts", every: "1 minute", round }
})
