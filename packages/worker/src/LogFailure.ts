import { logThrottled } from "@switchboard/services/LogThrottle"
import { Cause, Effect, Option, Predicate } from "effect"

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
