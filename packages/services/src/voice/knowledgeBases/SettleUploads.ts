import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Duration, Effect } from "effect"
import type { ScheduledJob } from "../../ScheduledJob.js"
import { UploadSearches } from "./UploadSearches.js"

const batch = 50

/** How soon what has come straight to the object store is found, if nobody asks before. */
export const lookAgainIn = Duration.seconds(30)

/** Finds out what became of uploads: ready, or failed where nothing came in time. */
export const settleUploads: Effect.Effect<ScheduledJob, never, UploadSearches> = Effect.map(
  UploadSearches,
  ({ searchDue }) => {
    const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
      const found = yield* searchDue(lookAgainIn, batch)
      return found < batch ? found : found + (yield* round)
    })
    return { what: "Looking for uploads", every: lookAgainIn, round }
  }
)
