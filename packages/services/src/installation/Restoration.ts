import { DateTime, Effect, Option } from "effect"
import { InstallationRepo } from "./InstallationRepo.js"

const checkEvery = "2 seconds"

/**
 * Whether this process may send. What a service sent after a backup can't be known, so a restored copy sends nothing
 * until an operator releases it, with a time before which waiting messages end without an attempt.
 */
export class Restoration extends Effect.Service<Restoration>()("services/Restoration", {
  effect: Effect.gen(function* () {
    const { restoration } = yield* InstallationRepo

    const released: Effect.Effect<Option.Option<DateTime.Utc>> = restoration.pipe(
      Effect.flatMap(({ endedBefore, isHeld }) =>
        isHeld ? Effect.delay(released, checkEvery) : Effect.succeed(endedBefore)
      ),
      Effect.catchTag("ServiceUnavailableError", () => Effect.delay(released, checkEvery))
    )
    const first = restoration.pipe(
      Effect.tap(({ isHeld }) =>
        isHeld ? Effect.logWarning('This is a restored copy: nothing is sent until "switchboard release"') : Effect.void
      ),
      Effect.ignore,
      Effect.zipRight(released)
    )
    /** Waits until the copy is released; then, and in all other databases, returns the time of the release. */
    const endedBefore = yield* Effect.cached(first)

    return {
      /** Waits while the copy is held. */
      released: Effect.asVoid(endedBefore),
      /** Whether a message that was due at this time ends without an attempt. Waits while the copy is held. */
      isEnded: (dueSince: DateTime.Utc) => Effect.map(endedBefore, Option.exists(DateTime.greaterThan(dueSince)))
    }
  })
}) {}
