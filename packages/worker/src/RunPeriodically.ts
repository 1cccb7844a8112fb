import { Duration, Effect, Schedule, type Scope } from "effect"
import { logFailure } from "./LogFailure.js"

/** A jittered schedule in whole milliseconds: the `TestClock` would round fractions. */
export const jittered = (every: Duration.DurationInput) =>
  Schedule.jittered(Schedule.spaced(every)).pipe(
    Schedule.delayed((delay) => Duration.millis(Math.round(Duration.toMillis(delay))))
  )

/**
 * Runs a round at once and then at a jittered interval, until the scope closes. All processes run it, without a leader:
 * rows are locked for one of them. A failure is logged, and the next round runs as scheduled.
 */
export const runPeriodically = <A, E, R>(
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
