import { SqlError } from "@effect/sql/SqlError"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { logThrottled } from "@switchboard/services/LogThrottle"
import { type RequestDeadline, requestDeadline, requestTimeout } from "@switchboard/services/RequestDeadline"
import { Effect, FiberId, FiberRef, Option, Predicate, Schedule } from "effect"
import { isOutdated } from "./Prepared.js"
import { noteRefusal } from "./RefusedWrites.js"

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
  Effect.gen(function* () {
    const code = codeOf(error)
    yield* noteRefusal(code)
    yield* logThrottled(`database ${code}`, Effect.logWarning("The database can't be reached", error))
    return yield* unavailable
  })

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
  logThrottled("database silent", Effect.logWarning("The database does not answer in time")),
  unavailable
)

/**
 * Begins a wait of a request, and returns what ends it. `giveUp` runs at the request's deadline, later if there is much
 * to write. A timer, not `Effect.timeout`, which costs more than the rest of a request.
 */
export const beginWait = (deadline: RequestDeadline | null, giveUp: () => void, octets = 0): (() => void) => {
  const timeout = (deadline?.left() ?? requestTimeout) + octets / 10_000
  deadline?.begin()
  let over = false
  const end = () => {
    if (over) return
    over = true
    clearTimeout(timer)
    deadline?.end()
  }
  const timer = setTimeout(() => {
    end()
    giveUp()
  }, timeout)
  return end
}

/** Timers may be some milliseconds early, and no statement is answered in as few. */
const minTimeout = 20

/** Asks nothing more of the database for a request whose deadline is reached. */
export const withinDeadline = <A, E, R>(ask: (deadline: RequestDeadline | null) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    FiberRef.get(requestDeadline),
    (deadline): Effect.Effect<A, E | ServiceUnavailableError, R> =>
      deadline !== null && deadline.left() < minTimeout ? noAnswer : ask(deadline)
  )

/**
 * For what a request waits for. At its deadline the request is answered, and what it waited for is interrupted, as it is
 * when the caller leaves: a statement that runs is cancelled, and a transaction rolled back. How long that takes is not
 * waited for.
 */
export const forCaller = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  withinDeadline((deadline) =>
    Effect.flatMap(Effect.forkDaemon(Effect.interruptible(orUnavailable(self))), (fiber) =>
      Effect.async<A, Effect.Effect.Error<ReturnType<typeof orUnavailable<A, E, R>>>>((resume) => {
        const cancel = () => fiber.unsafeInterruptAsFork(FiberId.none)
        const end = beginWait(deadline, () => {
          cancel()
          resume(noAnswer)
        })
        fiber.addObserver((exit) => {
          end()
          resume(exit)
        })
        return Effect.sync(() => {
          end()
          cancel()
        })
      })
    )
  )
