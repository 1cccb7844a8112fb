import { Cache, type Duration, Effect, FiberRef, Option } from "effect"
import { connectionUse } from "./ConnectionUse.js"
import { requestDeadline } from "./RequestDeadline.js"

/** A cache by key in which concurrent callers share one look-up. */
export interface SharedLookup<Key, Value, Error = never> {
  /**
   * Returns the cached value if it is `usable`, otherwise the result of a look-up that all concurrent callers share.
   */
  readonly get: (key: Key, usable?: (value: Value) => boolean) => Effect.Effect<Value, Error>
  /** Removes a key: the next `get` looks it up. */
  readonly invalidate: (key: Key) => Effect.Effect<void>
  /** Removes every cached key that matches. */
  readonly invalidateWhere: (matches: (key: Key) => boolean) => Effect.Effect<void>
}

/** Time spent waiting for a look-up counts against the caller's deadline. */
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
 * Caches at most `capacity` successful look-ups. A look-up runs in its own fiber without a caller's deadline, so that an
 * interrupted caller does not end it for the others. A failure reaches the waiting callers and is not cached.
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
    Cache.make({
      capacity,
      lookup: (key: Key) =>
        lookup(key).pipe(Effect.locally(requestDeadline, null), Effect.locally(connectionUse, null)),
      timeToLive
    }),
    (cache) => ({
      get: (key, usable = () => true) =>
        Effect.flatMap(cache.getOptionComplete(key), (known): Effect.Effect<Value, Error> => {
          if (Option.isSome(known) && usable(known.value)) return Effect.succeed(known.value)
          const shared = Effect.onError(cache.get(key), () => cache.invalidate(key))
          const found = chargeCaller(Effect.flatMap(Effect.forkDaemon(shared), ({ await: end }) => end))
          return Effect.zipRight(Option.isSome(known) ? cache.invalidate(key) : Effect.void, Effect.flatten(found))
        }),
      invalidate: (key) => cache.invalidate(key),
      invalidateWhere: (matches) =>
        Effect.flatMap(cache.keys, (keys) =>
          Effect.forEach(keys.filter(matches), (key) => cache.invalidate(key), { discard: true })
        )
    })
  )
