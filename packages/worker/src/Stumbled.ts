import { seldom } from "@switchboard/services/Seldom"
import { Cause, Effect, Option, Predicate } from "effect"

/** What all loops say alike, while what they stand on is away; else each speaks for itself. */
const outage = (cause: Cause.Cause<unknown>): Option.Option<string> =>
  Option.filterMap(Cause.failureOption(cause), (error) =>
    Predicate.isTagged(error, "ServiceUnavailableError") && Predicate.hasProperty(error, "message")
      ? Option.some(String(error.message))
      : Option.none()
  )

/** Says that a loop could not do its work, and goes on: all of them once, where it is for the same outage. */
export const logStumbled = (what: string) => (cause: Cause.Cause<unknown>) => {
  const say = Effect.logWarning(`${what} stumbled`, cause)
  return Option.match(outage(cause), { onNone: () => say, onSome: (message) => seldom(message, say) })
}
