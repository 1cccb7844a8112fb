import type { SqlError } from "@effect/sql/SqlError"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Effect, Predicate, Schedule } from "effect"
import { codeOf, isConflict } from "../../database/Unavailable.js"

/** Where the accept statement proves what it decided: a key or address that exists by now, a null on purpose. */
const proofs = new Set<unknown>(["message_claims", "message_contents", "participant_addresses", "organization_usage"])

const isOvertaken = (error: SqlError): boolean =>
  /^(?:23505|23502)$/.test(codeOf(error)) &&
  Predicate.hasProperty(error.cause, "table") &&
  proofs.has(error.cause.table)

/**
 * Tries a statement again that another one overtook: since the other has ended by then, the next snapshot shows what
 * it did. Each time somebody got on, so that many rounds of it are a crowd, not a fault.
 */
export const retryOvertaken = <A, R>(self: Effect.Effect<A, SqlError, R>) =>
  self.pipe(
    Effect.retry({
      times: 10,
      schedule: Schedule.jittered(Schedule.exponential("1 millis")),
      while: (error) => isOvertaken(error) || isConflict(error)
    }),
    Effect.catchIf(isOvertaken, (error) =>
      Effect.zipRight(
        Effect.logWarning("A batch of sends was overtaken again and again", error),
        new ServiceUnavailableError({ message: "Too many sends of the same at once", retryAfterSeconds: 1 })
      )
    )
  )
