import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { DateTime, Duration, Effect } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"
import { ObjectRemovals } from "./ObjectRemovals.js"
import { ObjectStore } from "./ObjectStore.js"

const batch = 100

/** Exceeds the duration of a batch. */
const putOff = Duration.minutes(5)

/** Removes obsolete objects. Failed removals are retried. */
export const removeObjects: Effect.Effect<ScheduledJob, never, ObjectRemovals | ObjectStore> = Effect.gen(function* () {
  const removals = yield* ObjectRemovals
  const store = yield* ObjectStore

  const round: Effect.Effect<number, ServiceUnavailableError> = Effect.gen(function* () {
    const now = yield* DateTime.now
    const due = yield* removals.takeDue(now, DateTime.addDuration(now, putOff), batch)
    if (due.length === 0) return 0
    const isGone = yield* Effect.isSuccess(store.remove(due.map(({ key }) => key)))
    if (!isGone) return 0
    yield* removals.done(due)
    return due.length < batch ? due.length : due.length + (yield* round)
  })

  return { what: "Removing objects", every: "30 seconds", round }
})
