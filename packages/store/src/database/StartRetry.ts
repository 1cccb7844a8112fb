import type { SqlError } from "@effect/sql/SqlError"
import { Duration, Effect, Schedule } from "effect"
import { codeOf } from "./Unavailable.js"

/**
 * Connection class 08, a server that starts or stops (57P0x), too many connections, and what the driver says of a
 * connection that is refused, lost or not made in time. A wrong password or database stays wrong.
 */
const passingCode = /^(?:08|57P0|53300|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
const passingText = /timeout|terminated|silent/i

const passes = (error: SqlError): boolean => {
  const code = codeOf(error)
  if (code !== "") return passingCode.test(code)
  return error.cause instanceof Error && passingText.test(error.cause.message)
}

/** Retries the first connection while a database starts or recovers, for this long at most; logs that once. */
export const startRetry = (within: Duration.Duration) =>
  Schedule.spaced("500 millis").pipe(
    Schedule.whileInput(passes),
    Schedule.upTo(within),
    Schedule.tapOutput((times) =>
      times === 0
        ? Effect.logWarning(`The database can't be reached: it is waited for, ${Duration.format(within)} at most`)
        : Effect.void
    )
  )
