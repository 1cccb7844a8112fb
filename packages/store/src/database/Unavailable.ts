import { SqlClient } from "@effect/sql"
import { SqlError } from "@effect/sql/SqlError"
import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { logThrottled } from "@switchboard/services/LogThrottle"
import { type RequestDeadline, requestDeadline, requestTimeout } from "@switchboard/services/RequestDeadline"
import { Context, Effect, FiberId, FiberRef, Option, Predicate, Ref, Schedule } from "effect"
import { isOutdated } from "./Prepared.js"

/** Disk full (53100), I/O error of the server (58030), read-only transaction on a standby (25006). */
const refusedCode = /^(?:53100|58030|25006)$/

/** Whether a write was refused since the last successful probe. */
class RefusedWrites extends Context.Reference<RefusedWrites>()("store/RefusedWrites", {
  defaultValue: () => Ref.unsafeMake(false)
}) {}

/** Records the SQLSTATE of a failed statement if it means that the database refuses writes. */
const noteRefusal = (code: string): Effect.Effect<void> =>
  refusedCode.test(code) ? Effect.flatMap(RefusedWrites, (refused) => Ref.set(refused, true)) : Effect.void

/** Writes enough to grow a table, and rolls back. */
const probe = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`CREATE TABLE switchboard_write_probe AS SELECT generate_series(1, 20000) AS n`.pipe(
    Effect.zipRight(Effect.fail("rollback" as const)),
    sql.withTransaction,
    Effect.catchIf(
      (error) => error === "rollback",
      () => Effect.void
    )
  )
)

/** Whether the database accepts writes. Probes only after a refused write, until a probe succeeds. */
export const acceptsWrites = Effect.gen(function* () {
  const refused = yield* RefusedWrites
  if (!(yield* Ref.get(refused))) return true
  const accepted = yield* Effect.isSuccess(Effect.sandbox(probe))
  yield* Ref.set(refused, !accepted)
  return accepted
})

/**
 * Outages, after which a retry can succeed: connection exception (class 08), operator intervention (57P0x),
 * insufficient resources (class 53), system errors such as a failed disk (class 58), invalid credentials (class 28), a
 * read-only standby in place of the primary (25006), statement timeout (57014), lock timeout (55P03), and the driver's
 * errors for a lost or refused connection.
 */
const outageCode = /^(?:08|57P0|57014|55P03|53|58|28|25006|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)/
const outageText = /connection|timeout|terminated|socket|pool|not queryable/i

/** Statement timeout and lock timeout: the database is reached, but too slow. */
const timeoutCode = /^(?:57014|55P03)$/

/** Serialization failure and deadlock. */
const conflictCode = /^40(?:001|P01)$/

/** The SQLSTATE, or the code of the failed system call; empty if there is none. */
export const codeOf = (error: SqlError): string =>
  Predicate.hasProperty(error.cause, "code") ? String(error.cause.code) : ""

const isOutage = (error: SqlError): boolean => {
  const code = codeOf(error)
  if (code !== "") return outageCode.test(code)
  // The driver's own errors have only a message, no code.
  return outageText.test(error.message) || (error.cause instanceof Error && outageText.test(error.cause.message))
}

/** Whether the transaction can be retried: a conflict with another one, or an outdated prepared statement. */
export const isConflict = (error: SqlError): boolean => conflictCode.test(codeOf(error)) || isOutdated(error.cause)

/** Whether a statement gave up waiting for a lock. */
export const isLockTimeout = (error: SqlError): boolean => codeOf(error) === "55P03"

const isViolation = (error: SqlError, code: string, constraint: string): boolean =>
  codeOf(error) === code && Predicate.hasProperty(error.cause, "constraint") && error.cause.constraint === constraint

/** Whether the error is a violation of the named unique constraint. */
export const violates = (error: SqlError, constraint: string): boolean => isViolation(error, "23505", constraint)

/** Whether the error is a violation of the named foreign key. */
export const violatesReference = (error: SqlError, constraint: string): boolean =>
  isViolation(error, "23503", constraint)

const unreachable = new ServiceUnavailableError({ message: "The database can't be reached", retryAfterSeconds: 1 })
const late = new ServiceUnavailableError({ message: "The database did not respond in time", retryAfterSeconds: 1 })

/** `withTransaction` dies if COMMIT fails: after a conflict, the transaction is rolled back and can be repeated. */
const asConflict = (defect: unknown): Option.Option<Effect.Effect<never, SqlError>> =>
  defect instanceof SqlError && isConflict(defect) ? Option.some(Effect.fail(defect)) : Option.none()

const isSqlError = <E>(error: E): error is Extract<E, SqlError> => Predicate.isTagged(error, "SqlError")

const isConflictError = <E>(error: E): error is Extract<E, SqlError> => isSqlError(error) && isConflict(error)

const firstRetryDelay = "5 millis"

/**
 * Retries a transaction that conflicted with another one. The schedule begins with the second attempt: a transaction
 * without a conflict does not pay for its state.
 */
export const retryConflicts = <A, E, R>(self: Effect.Effect<A, E, R>) => {
  const attempt = Effect.catchSomeDefect(self, asConflict)
  return Effect.catchIf(attempt, isConflictError, () =>
    Effect.retry(Effect.delay(attempt, firstRetryDelay), {
      times: 4,
      schedule: Schedule.jittered(Schedule.exponential(firstRetryDelay)),
      while: isConflictError
    })
  )
}

const isLostConnection = (defect: unknown): defect is SqlError => defect instanceof SqlError && isOutage(defect)

const unavailable = (error: SqlError) =>
  Effect.gen(function* () {
    const code = codeOf(error)
    const failure = timeoutCode.test(code) ? late : unreachable
    yield* noteRefusal(code)
    yield* logThrottled(`database ${code}`, Effect.logWarning(failure.message, error))
    return yield* failure
  })

/**
 * Turns outages into `ServiceUnavailableError`; any other SQL error is a defect. `withTransaction` dies if the
 * connection is lost at COMMIT or ROLLBACK: the outcome is then unknown, and the caller finds it by repeating the
 * request.
 */
export const orUnavailable = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  self.pipe(
    Effect.catchIf(isSqlError<E>, (error) =>
      isOutage(error) || isConflict(error) ? unavailable(error) : Effect.die(error)
    ),
    Effect.catchSomeDefect((defect) => (isLostConnection(defect) ? Option.some(unavailable(defect)) : Option.none()))
  )

export const databaseTimeout = Effect.zipRight(logThrottled("database silent", Effect.logWarning(late.message)), late)

/**
 * Starts the wait of a request, and returns the function that ends it. `giveUp` runs at the request's deadline,
 * extended by 1 ms per 10,000 octets to write. Uses a timer: `Effect.timeout` costs more than the rest of a request.
 */
export const beginWait = (deadline: RequestDeadline | null, giveUp: () => void, octets = 0): (() => void) => {
  const timeout = (deadline?.left() ?? requestTimeout) + octets / 10_000
  deadline?.begin()
  let hasEnded = false
  const end = () => {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    deadline?.end()
  }
  const timer = setTimeout(() => {
    end()
    giveUp()
  }, timeout)
  return end
}

/** In milliseconds. A timer may fire some milliseconds early, and no statement completes in less. */
const minTimeout = 20

/** Fails without a statement if the request's deadline has passed. */
export const withinDeadline = <A, E, R>(run: (deadline: RequestDeadline | null) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(
    FiberRef.get(requestDeadline),
    (deadline): Effect.Effect<A, E | ServiceUnavailableError, R> =>
      deadline !== null && deadline.left() < minTimeout ? databaseTimeout : run(deadline)
  )

/**
 * For statements that a request waits for. The request fails at its deadline; a running statement is then cancelled and
 * its transaction rolled back, without delaying the response. The same happens when the caller disconnects.
 */
export const forRequest = <A, E, R>(self: Effect.Effect<A, E, R>) =>
  withinDeadline((deadline) =>
    Effect.flatMap(Effect.forkDaemon(Effect.interruptible(orUnavailable(self))), (fiber) =>
      Effect.async<A, Effect.Effect.Error<ReturnType<typeof orUnavailable<A, E, R>>>>((resume) => {
        const cancel = () => fiber.unsafeInterruptAsFork(FiberId.none)
        const end = beginWait(deadline, () => {
          cancel()
          resume(databaseTimeout)
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
