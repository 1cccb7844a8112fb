import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DateTime, Effect } from "effect"
import { AttachmentRepo, unusedLast } from "../attachments/AttachmentRepo.js"
import type { ScheduledJob } from "../ScheduledJob.js"
import { DraftRepo } from "./DraftRepo.js"

const batch = 100

/** Stores the outcome of submissions that were interrupted, and removes files that no draft has named for long. */
export const cleanUpDrafts: Effect.Effect<ScheduledJob, never, AttachmentRepo | DraftRepo> = Effect.gen(function* () {
  const drafts = yield* DraftRepo
  const attachments = yield* AttachmentRepo

  const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
    const now = yield* DateTime.now
    const left = yield* drafts.listLeft(now, batch)
    yield* Effect.forEach(
      left,
      ({ id, organizationId }) =>
        drafts
          .change(organizationId, id, DateTime.addDuration(now, unusedLast), ({ draft }) =>
            Effect.succeed({ draft, heldUntil: null })
          )
          // It names no other files than before.
          .pipe(Effect.catchTag("ResourceNotFoundError", Effect.die)),
      { discard: true }
    )
    const removed = yield* attachments.removeUnused(now, batch)
    const done = left.length + removed
    return left.length < batch && removed < batch ? done : done + (yield* round)
  })

  return { what: "Cleaning up drafts", every: "1 minute", round }
})
