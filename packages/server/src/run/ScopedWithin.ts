import { Duration, Effect, Option, Scope } from "effect"

/** The time beyond `SHUTDOWN_GRACE` that connections and the embedded database have to close. */
export const closeTimeout = Duration.seconds(5)

/**
 * Like `Effect.scoped`, with a limit for closing the scope: a database or relay that hangs must not keep a process that
 * stops. Entries that could not be released become ready when their leases end.
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
              ? Effect.logWarning(`Something did not end within ${Duration.format(timeout)}: it is left behind`)
              : Effect.void
          )
        )
    )
