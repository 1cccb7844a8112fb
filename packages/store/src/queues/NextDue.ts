import { Clock, DateTime, Duration, Effect, Option, Queue } from "effect"
import type { SettledEntry } from "./ChangeEntries.js"

/** The time between promotions while entries become due one after the other. In a call, the delay is audible. */
const minInterval = Duration.millis(100)

/** Finds entries that another process made wait and, having ended, does not promote. */
const maxInterval = Duration.seconds(1)

/** When the next waiting entry of a queue is due, as far as this process knows; by its monotonic clock. */
export const makeNextDue = Effect.map(Queue.sliding<void>(1), (changed) => {
  let earliest = 0n
  let next = 0n

  const expectIn = (delay: Duration.Duration) =>
    Effect.flatMap(Clock.currentTimeNanos, (now) => {
      const at = now + Duration.unsafeToNanos(delay)
      if (at >= next) return Effect.void
      next = at
      return Queue.offer(changed, undefined)
    })

  return {
    /** A promotion begins: entries that wait from now on may be missing from its result. */
    promoting: Effect.map(Clock.currentTimeNanos, (now) => {
      earliest = now + Duration.unsafeToNanos(minInterval)
      next = now + Duration.unsafeToNanos(maxInterval)
    }),
    expectIn,
    /** Entries that were settled with a retry. */
    expect: Effect.fnUntraced(function* (settled: ReadonlyArray<Pick<SettledEntry, "retryAt">>) {
      const now = yield* DateTime.now
      const delays = settled.flatMap(({ retryAt }) => (retryAt === null ? [] : [DateTime.distance(now, retryAt)]))
      if (delays.length > 0) yield* expectIn(Duration.millis(Math.max(0, Math.min(...delays))))
    }),
    /** Waits until an entry may be due. */
    wait: Effect.gen(function* () {
      const until = next > earliest ? next : earliest
      const left = until - (yield* Clock.currentTimeNanos)
      if (left <= 0n) return true
      // A timer may end a millisecond early.
      const limit = Duration.nanos(left + 1_000_000n)
      return Option.isNone(yield* Effect.timeoutOption(Queue.take(changed), limit))
    }).pipe(Effect.repeat({ until: (isDue) => isDue }), Effect.asVoid)
  }
})
