import { Clock, Context, Duration, Effect } from "effect"

/** How long a subject is not logged again. */
const silence = Duration.toMillis(Duration.seconds(30))

/** When this process last logged each subject. */
export class LogThrottle extends Context.Reference<LogThrottle>()("services/LogThrottle", {
  defaultValue: () => new Map<string, number>()
}) {}

/** Logs a subject unless it was logged lately: during an outage, hundreds of requests a second have the same to log. */
export const logThrottled = (subject: string, log: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.gen(function* () {
    const loggedAt = yield* LogThrottle
    const now = yield* Clock.currentTimeMillis
    const last = loggedAt.get(subject)
    if (last !== undefined && now >= last && now - last < silence) return
    loggedAt.set(subject, now)
    yield* log
  })
