import { Deferred, Duration, Effect, FiberId, FiberRef, Option } from "effect"
import { LRUCache } from "lru-cache"
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

/** A look-up: pending until `until` is set. */
interface Entry<Key, Value, Error> {
  readonly key: Key
  readonly result: Deferred.Deferred<Value, Error>
  known: Option.Option<Value>
  /** The end of its time to live. */
  until: number
}

interface Options<Key, Value, Error, R> {
  readonly capacity: number
  readonly timeToLive: Duration.DurationInput
  readonly lookup: (key: Key) => Effect.Effect<Value, Error, R>
  /** Keys with the same id are the same. */
  readonly idOf: (key: Key) => string
}

/**
 * Caches at most `capacity` successful look-ups. A look-up runs in its own fiber without a caller's deadline, so that an
 * interrupted caller does not end it for the others. A failure reaches the waiting callers and is not cached. Finding a
 * cached value is one operation: `Cache` of the library takes ten, and each request finds several.
 */
export const sharedLookup = <Key, Value, Error, R>({
  capacity,
  idOf,
  lookup,
  timeToLive
}: Options<Key, Value, Error, R>): Effect.Effect<SharedLookup<Key, Value, Error>, never, R> =>
  Effect.map(Effect.context<R>(), (context) => {
    const entries = new LRUCache<string, Entry<Key, Value, Error>>({ max: capacity })
    const lifetime = Duration.toMillis(timeToLive)

    const run = (id: string, entry: Entry<Key, Value, Error>) =>
      lookup(entry.key).pipe(
        Effect.tap((value) =>
          Effect.clockWith((clock) => {
            entry.known = Option.some(value)
            entry.until = clock.unsafeCurrentTimeMillis() + lifetime
            return Effect.void
          })
        ),
        Effect.onError(() =>
          Effect.sync(() => {
            if (entries.peek(id) === entry) entries.delete(id)
          })
        ),
        Effect.intoDeferred(entry.result),
        Effect.provide(context),
        Effect.locally(requestDeadline, null),
        Effect.locally(connectionUse, null),
        Effect.forkDaemon
      )

    const resultOf = ({ result }: Entry<Key, Value, Error>) => chargeCaller(Deferred.await(result))

    const start = (id: string, key: Key) =>
      Effect.suspend(() => {
        const entry = { key, result: Deferred.unsafeMake<Value, Error>(FiberId.none), known: Option.none(), until: 0 }
        entries.set(id, entry)
        return Effect.zipRight(run(id, entry), resultOf(entry))
      })

    return {
      get: (key, usable = () => true) =>
        Effect.clockWith((clock) => {
          const id = idOf(key)
          const entry = entries.get(id)
          if (entry === undefined) return start(id, key)
          if (Option.isNone(entry.known)) return resultOf(entry)
          return entry.until > clock.unsafeCurrentTimeMillis() && usable(entry.known.value)
            ? Effect.succeed(entry.known.value)
            : start(id, key)
        }),
      invalidate: (key) => Effect.sync(() => entries.delete(idOf(key))),
      invalidateWhere: (matches) =>
        Effect.sync(() => {
          for (const { key } of [...entries.values()]) if (matches(key)) entries.delete(idOf(key))
        })
    }
  })
