import { Clock, Duration, Effect } from "effect"
import type { Signal } from "./Signal.js"

/** The minimum time between rounds while more entries are expected: one statement for several entries costs less. */
const roundInterval = Duration.millis(20)

/**
 * Waits for a signal, then until `isEnough`, at most until `roundInterval` after the start of the previous round. After
 * a longer pause a round starts at once.
 */
export const awaitBatch = (signal: Signal, isEnough: () => boolean): Effect.Effect<void> => {
  let next = 0n
  return Effect.gen(function* () {
    yield* signal.wait
    const left = next - (yield* Clock.currentTimeNanos)
    if (left > 0n && !isEnough()) {
      yield* signal.wait.pipe(Effect.repeat({ until: isEnough }), Effect.timeoutOption(Duration.nanos(left)))
    }
    next = (yield* Clock.currentTimeNanos) + Duration.unsafeToNanos(roundInterval)
  })
}
