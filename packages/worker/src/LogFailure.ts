import { logThrottled } from "@switchboard/services/LogThrottle"
import { Cause, Effect, Option, Predicate } from "effect"

/** The message of an outage, which is the same for all loops. */
const outage = (cause: Cause.Cause<unknown>): Option.Option<string> =>
  Option.filterMap(Cause.failureOption(cause), (error) =>
    Predicate.isTagged(error, "ServiceUnavailableError") && Predicate.hasProperty(error, "message")
      ? Option.some(String(error.message))
      : Option.none()
  )

/** Logs that a loop could not do its work. Of an outage, the first loop logs for all. */
export const logFailure = (what: string) => (cause: Cause.Cause<unknown>) => {
  const log = Effect.logWarning(`${what} failed`, cause)
  return Option.match(outage(cause), { onNone: () => log, onSome: (message) => logThrottled(message, log) })
}
