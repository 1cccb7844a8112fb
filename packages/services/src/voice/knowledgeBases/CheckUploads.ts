import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Duration, Effect } from "effect"
import type { ScheduledJob } from "../../ScheduledJob.js"
import { UploadChecks } from "./UploadChecks.js"

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
