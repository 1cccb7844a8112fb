import { SqlError } from "@effect/sql/SqlError"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type CallerPatience, callerPatience, longestWait } from "@switchboard/services/CallerPatience"
import { seldom } from "@switchboard/services/Seldom"
import { Effect, FiberRef, Option, Predicate, Schedule } from "effect"
import { isOutdated } from "./Prepared.js"

/**
 * Connection class 08, operator intervention 57P0x, too many connections, out of disk (53), errors of the disk (58),
 * credentials that don't hold any more (28), a standby where the primary was (25006), statement and lock timeout, and
 * what the driver says of a lost or refused connection: someone may try again.
 */
const outageCode = /^(?:08|57P0|57014|55P03|53|58|28|25006|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/
const outageText = /connection|timeout|terminated|socket|pool|not queryable/i

/** Serialization failure and deadlock. */
const conflictCode = /^40(?:001|P01)$/

/** The SQLSTATE, or the code of the failed call; empty if the driver gave none. */
export const codeOf = (error: SqlError): string =>
  Predicate.hasProperty(error.cause, "code") ? String(error.cause.code) : ""

const isOutage = (error: SqlError): boolean => {
  const code = codeOf(error)
  if (code !== "") return outageCode.test(code)
  // The driver's own errors carry no code, only a sentence.
  return outageText.test(error.message) || (error.cause instanceof Error && outageText.test(error.cause.message))
}

/** Whether the whole transaction may simply be tried again: it lost against another one, or asked by an outdated name. */
export const isConflict = (error: SqlError): boolean => conflictCode.test(codeOf(error)) || isOutdated(error.cause)

const breaks = (error: SqlError, code: string, constraint: string): boolean =>
  codeOf(error) === code && Predicate.hasProperty(error.cause, "constraint") && error.cause.constraint === constraint

/** Whether the error is a violation of the named unique constraint. */
export const violates = (error: SqlError, constraint: string): boolean => breaks(error, "23505", constraint)

/** Whether the error is a violation of the named foreign key. */
export const violatesReference = (error: SqlError, constraint: string): boolean => breaks(error, "23503", constraint)

const unavailable = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })

/** Tries a transaction again that lost against another one. */
export const retryConflicts = <A, E, R>(self: Effect.Effect<A, E | SqlError, R>): Effect.Effect<A, E | SqlError, R> =>
  Effect.retry(self, {
    times: 5,
    schedule: Schedule.jittered(Schedule.exponential("5 millis")),
    while: (error) => Predicate.isTagged(error, "SqlError") && isConflict(error)
  })

const isSqlError = <E>(error: E): error is Extract<E, SqlError> => Predicate.isTagged(error, "SqlError")

const isLostConnection = (defect: unknown): defect is SqlError => defect instanceof SqlError && isOutage(defect)

const unreachable = (error: SqlError) =>
  Effect.zipRight(
    seldom(`database ${codeOf(error)}`, Effect.logWarning("The database can't be reached", error)),
    unavailable
  )

/**
 * What can't be reached is the caller's to know; anything else is our bug. `withTransaction` dies when the connection
 * is lost at COMMIT or ROLLBACK. Nobody knows then whether the transaction was committed: only who repeats the request
 * can find out.
 */
export const orUnavailable = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  self.pipe(
    Effect.catchIf(isSqlError<E>, (error) =>
      isOutage(error) || isConflict(error) ? unreachable(error) : Effect.die(error)
    ),
    Effect.catchSomeDefect((defect) => (isLostConnection(defect) ? Option.some(unreachable(defect)) : Option.none()))
  )

export const noAnswer = Effect.zipRight(
  seldom("database silent", Effect.logWarning("The database does not answer in time")),
  unavailable
)

/**
 * Begins a caller's wait, and answers how to end it. A caller is told soon that nothing comes: sooner if the same
 * request has waited before, later if there is much to write. A timer, not `Effect.timeout`, which costs more than the
 * rest of a request.
 */
export const beginWait = (caller: CallerPatience | null, giveUp: () => void, octets = 0): (() => void) => {
  const most = Math.min(longestWait, caller?.left() ?? longestWait) + octets / 10_000
  caller?.begin()
  let over = false
  const end = () => {
    if (over) return
    over = true
    clearTimeout(timer)
    caller?.end()
  }
  const timer = setTimeout(() => {
    end()
    giveUp()
  }, most)
  return end
}

/** Timers may be some milliseconds early, and nobody is answered in as few. */
const tooShort = 20

/** Asks nothing more of the database for a caller whose patience is at its end. */
export const ifPatient = <A, E, R>(ask: (caller: CallerPatience | null) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    FiberRef.get(callerPatience),
    (caller): Effect.Effect<A, E | ServiceUnavailableError, R> =>
      caller !== null && caller.left() < tooShort ? noAnswer : ask(caller)
  )

/**
 * For what a request waits on: told soon that the database does not answer, rather than kept waiting until a connection
 * is given up. What was asked is left to end by itself, within the limits of its connection: to cancel a statement takes
 * another connection to the same server.
 */
export const forCaller = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  ifPatient((caller) =>
    Effect.flatMap(Effect.forkDaemon(orUnavailable(self)), (asked) =>
      Effect.async<A, Effect.Effect.Error<ReturnType<typeof orUnavailable<A, E, R>>>>((resume) => {
        const end = beginWait(caller, () => resume(noAnswer))
        asked.addObserver((exit) => {
          end()
          resume(exit)
        })
        return Effect.sync(end)
      })
    )
  )
