import { Clock, Duration, Effect, Queue } from "effect"

/** A wake-up for one waiting fiber. Signals that are sent before it waits count as one. */
export interface Signal {
  readonly send: () => void
  readonly wait: Effect.Effect<void>
}

export const makeSignal: Effect.Effect<Signal> = Effect.map(Queue.sliding<void>(1), (queue) => ({
  send: () => {
    queue.unsafeOffer(undefined)
  },
  wait: Queue.take(queue)
}))

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
