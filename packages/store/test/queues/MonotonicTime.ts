import { Clock, Duration, Effect, Layer } from "effect"

const withMonotonicTime = (clock: Clock.Clock, nanos: () => bigint): Clock.Clock => ({
  [Clock.ClockTypeId]: Clock.ClockTypeId,
  unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis(),
  currentTimeMillis: clock.currentTimeMillis,
  unsafeCurrentTimeNanos: nanos,
  currentTimeNanos: Effect.sync(nanos),
  sleep: (duration) => clock.sleep(duration)
})

/** Stops the monotonic clock, so that the time between full scans does not depend on the speed of the machine. */
export const StoppedMonotonicTime = Layer.unwrapEffect(
  Effect.clockWith((clock) => {
    const stopped = clock.unsafeCurrentTimeNanos()
    return Effect.succeed(Layer.setClock(withMonotonicTime(clock, () => stopped)))
  })
)

/** Runs an effect with a monotonic clock that is ahead. */
export const later =
  (by: Duration.DurationInput) =>
  <A, E, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.clockWith((clock) => {
      const ahead = Duration.unsafeToNanos(by)
      return Effect.withClock(
        self,
        withMonotonicTime(clock, () => clock.unsafeCurrentTimeNanos() + ahead)
      )
    })
