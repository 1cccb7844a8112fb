import { logThrottled } from "@switchboard/services/LogThrottle"
import type { ScheduledJob } from "@switchboard/services/ScheduledJob"
import { Cause, Duration, Effect, Layer, Option, Predicate, Schedule, type Scope } from "effect"

/** The message of a `ServiceUnavailableError`, which is the same in all loops. */
const outage = (cause: Cause.Cause<unknown>): Option.Option<string> =>
  Option.filterMap(Cause.failureOption(cause), (error) =>
    Predicate.isTagged(error, "ServiceUnavailableError") && Predicate.hasProperty(error, "message")
      ? Option.some(String(error.message))
      : Option.none()
  )

/** Logs the failure of a loop. An outage is logged once for all loops. */
export const logFailure = (what: string) => (cause: Cause.Cause<unknown>) => {
  const log = Effect.logWarning(`${what} failed`, cause)
  return Option.match(outage(cause), { onNone: () => log, onSome: (message) => logThrottled(message, log) })
}

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

/** The waits between attempts of a statement that failed. */
export const retrySchedule = jittered("500 millis")

/** Repeats a round until the scope closes. A failure is logged, and the round is retried. */
export const runForever = <A, E>(round: Effect.Effect<A, E>, what: string) =>
  Effect.forever(round).pipe(
    Effect.tapErrorCause(logFailure(what)),
    Effect.sandbox,
    Effect.retry(retrySchedule),
    Effect.ignore,
    Effect.forkScoped
  )

const run = ({ every, round, what }: ScheduledJob) =>
  runPeriodically(
    Effect.tap(round, (count) => (count === 0 ? Effect.void : Effect.annotateLogs(Effect.logDebug(what), { count }))),
    every,
    what
  )

/** Runs each job at its own interval. A slow or failing job does not delay the others. */
export const ScheduledJobs = <E, R>(jobs: Effect.Effect<ReadonlyArray<ScheduledJob>, E, R>) =>
  Layer.scopedDiscard(Effect.flatMap(jobs, Effect.forEach(run)))
