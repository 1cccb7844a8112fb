import { Duration, Effect, Option, Scope } from "effect"

/** The time after `SHUTDOWN_GRACE` for closing connections and the embedded database. */
export const closeTimeout = Duration.seconds(5)

/**
 * Like `Effect.scoped`, with a timeout for closing the scope: a hanging database or relay must not block the stop of the
 * process. Queue entries that could not be released become ready when their leases expire.
 */
export const scopedWithin =
  (timeout: Duration.Duration) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Scope.extend(effect, scope),
      (scope, exit) =>
        Scope.close(scope, exit).pipe(
          Effect.disconnect,
          Effect.interruptible,
          Effect.timeoutOption(timeout),
          Effect.tap((ended) =>
            Option.isNone(ended)
              ? Effect.logWarning(
                  `The process did not close all resources within ${Duration.format(timeout)} and stops without them`
                )
              : Effect.void
          )
        )
    )
