import { Clock, Context, Duration, Effect } from "effect"

/** A subject is logged at most once in this time. */
const silence = Duration.toMillis(Duration.seconds(30))

/** The time at which this process last logged each subject, in milliseconds since 1970. */
export class LogThrottle extends Context.Reference<LogThrottle>()("services/LogThrottle", {
  defaultValue: () => new Map<string, number>()
}) {}

/**
 * Logs a subject at most once in 30 seconds: during an outage, hundreds of requests a second would log the same line.
 */
export const logThrottled = (subject: string, log: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.gen(function* () {
    const loggedAt = yield* LogThrottle
    const now = yield* Clock.currentTimeMillis
    const last = loggedAt.get(subject)
    if (last !== undefined && now >= last && now - last < silence) return
    loggedAt.set(subject, now)
    yield* log
  })
