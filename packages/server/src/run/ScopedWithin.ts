import { Duration, Effect, Option, Scope } from "effect"

/**
 * Like `Effect.scoped`, but its end is not waited for longer than this: what hangs (a database, a relay) must not keep a
 * process that was told to stop. What it could not give back comes back when its leases run out.
 */
export const scopedWithin =
  (most: Duration.Duration) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, Exclude<R, Scope.Scope>> =>
    Effect.acquireUseRelease(
      Scope.make(),
      (scope) => Scope.extend(effect, scope),
      (scope, exit) =>
        Scope.close(scope, exit).pipe(
          Effect.disconnect,
          Effect.interruptible,
          Effect.timeoutOption(most),
          Effect.tap((ended) =>
            Option.isNone(ended)
              ? Effect.logWarning(`Something did not end within ${Duration.format(most)}: it is left behind`)
              : Effect.void
          )
        )
    )
