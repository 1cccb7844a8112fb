import { Pauses, type QueuePause } from "@switchboard/services/queues/Pauses"
import { Effect, Layer, Stream } from "effect"

/** A queue that is never paused. */
export const neverPaused: QueuePause<never> = {
  pausedOwners: Effect.succeed([]),
  pausedDomains: Effect.succeed([]),
  isPaused: Effect.succeed(() => false),
  changes: Stream.never
}

/** An installation without pauses, which was never restored. */
export const NothingPaused = Layer.succeed(
  Pauses,
  Pauses.make({
    ofMail: neverPaused,
    ofTexts: neverPaused,
    ofWhatsApp: neverPaused,
    ofWebhooks: neverPaused,
    ofHold: neverPaused,
    isEnded: () => Effect.succeed(false)
  })
)
