import { Duration, Effect, Schedule, type Scope } from "effect"
import { logFailure } from "./LogFailure.js"

/** About so often, in whole milliseconds: Effect's `TestClock` has the nanoseconds of no other time. */
export const jittered = (every: Duration.DurationInput) =>
  Schedule.jittered(Schedule.spaced(every)).pipe(
    Schedule.delayed((delay) => Duration.millis(Math.round(Duration.toMillis(delay))))
  )

/**
 * Runs a round now and again and again, about so often, until the scope closes. Every worker does, without a leader:
 * the round takes only what nobody else holds. A round that fails is logged, and the next one tries again.
 */
export const regularly = <A, E, R>(
  round: Effect.Effect<A, E, R>,
  every: Duration.DurationInput,
  what: string
): Effect.Effect<void, never, R | Scope.Scope> =>
  round.pipe(
    Effect.tapErrorCause(logFailure(what)),
    Effect.sandbox,
    Effect.ignore,
    Effect.repeat(jittered(every)),
    Effect.forkScoped,
    Effect.asVoid
  )
