import type { SqlError } from "@effect/sql/SqlError"
import { Duration, Effect, Schedule } from "effect"
import { codeOf } from "./Unavailable.js"

/**
 * Errors that pass: connection exception (class 08), a server that starts or stops (57P0x), too many connections
 * (53300), a standby before it becomes the primary (25006), and the driver's errors for a refused, lost or slow connection. A wrong password or database name is not
 * retried.
 */
const transientCode = /^(?:08|57P0|53300|25006|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
const transientText = /timeout|terminated|silent/i

const isTransient = (error: SqlError): boolean => {
  const code = codeOf(error)
  if (code !== "") return transientCode.test(code)
  return error.cause instanceof Error && transientText.test(error.cause.message)
}

/** Retries the first connection while a database starts or recovers, for at most `within`. Logs once. */
export const startRetry = (within: Duration.Duration) =>
  Schedule.spaced("500 millis").pipe(
    Schedule.whileInput((error: SqlError) => Duration.toMillis(within) > 0 && isTransient(error)),
    Schedule.upTo(within),
    Schedule.tapOutput((times) =>
      times === 0
        ? Effect.logWarning(`The database can't be reached: retrying for up to ${Duration.format(within)}`)
        : Effect.void
    )
  )
