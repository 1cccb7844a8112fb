import { Cache, Duration, Effect, Exit, FiberRef, Option } from "effect"
import { connectionUse } from "./ConnectionUse.js"
import { requestDeadline } from "./RequestDeadline.js"

/** Values by key that concurrent callers look up once. */
export interface SharedLookup<Key, Value, Error = never> {
  /** The value of a key: the known one, or the result of the look-up that is under way for all its callers. */
  readonly get: (key: Key) => Effect.Effect<Value, Error>
  /** Removes a key: the next `get` looks it up. */
  readonly invalidate: (key: Key) => Effect.Effect<void>
  /** Removes every key that is known and matches. */
  readonly invalidateWhere: (matches: (key: Key) => boolean) => Effect.Effect<void>
  /** Removes a key whose known value matches. */
  readonly invalidateWhen: (key: Key, matches: (value: Value) => boolean) => Effect.Effect<void>
}

/** The caller's deadline counts the time that it waits for a look-up. */
const chargeCaller = <A, E, R>(wait: Effect.Effect<A, E, R>) =>
  Effect.flatMap(FiberRef.get(requestDeadline), (deadline) =>
    deadline === null
      ? wait
      : Effect.acquireUseRelease(
          Effect.sync(() => deadline.begin()),
          () => wait,
          () => Effect.sync(() => deadline.end())
        )
  )

/**
 * A cache of successful look-ups. A look-up runs in a fiber of its own and without a caller's deadline: the end of one
 * caller changes nothing for the others. A failure reaches the callers that wait for it and is not kept.
 */
export const sharedLookup = <Key, Value, Error, R>({
  capacity,
  lookup,
  timeToLive
}: {
  readonly capacity: number
  readonly timeToLive: Duration.DurationInput
  readonly lookup: (key: Key) => Effect.Effect<Value, Error, R>
}): Effect.Effect<SharedLookup<Key, Value, Error>, never, R> =>
  Effect.map(
    Cache.makeWith({
      capacity,
      lookup: (key: Key) =>
        lookup(key).pipe(Effect.locally(requestDeadline, null), Effect.locally(connectionUse, null)),
      timeToLive: (exit: Exit.Exit<Value, Error>) => (Exit.isSuccess(exit) ? timeToLive : Duration.zero)
    }),
    (cache) => ({
      get: (key) =>
        Effect.flatMap(
          cache.getOptionComplete(key),
          Option.match({
            onSome: Effect.succeed,
            onNone: () =>
              chargeCaller(Effect.flatMap(Effect.forkDaemon(cache.get(key)), (found) => found.await)).pipe(
                Effect.flatten
              )
          })
        ),
      invalidate: (key) => cache.invalidate(key),
      invalidateWhere: (matches) =>
        Effect.flatMap(cache.keys, (keys) =>
          Effect.forEach(keys.filter(matches), (key) => cache.invalidate(key), { discard: true })
        ),
      invalidateWhen: (key, matches) => cache.invalidateWhen(key, matches)
    })
  )
