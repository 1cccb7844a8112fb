import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { nextTurn } from "@switchboard/services/NextTurn"
import { Array, Cause, Duration, Effect, type Scope } from "effect"
import { beginWait, databaseTimeout, withinDeadline } from "./Unavailable.js"

/** The number of leading items with a total size of at most `limit`; at least one. */
export const countFitting = (sizes: ReadonlyArray<number>, limit: number): number => {
  let sum = 0
  const tooMany = sizes.findIndex((size, index) => {
    sum += size
    return index > 0 && sum > limit
  })
  return tooMany === -1 ? sizes.length : tooMany
}

/**
 * Selects items with a total size of at most `limit`, at least one; none with a size if it is null. Items of size zero
 * are always selected. No item overtakes an earlier one with a size: otherwise large items could wait forever.
 */
export const selectFitting = (sizes: ReadonlyArray<number>, limit: number | null): ReadonlyArray<boolean> => {
  const first = limit === null ? 0 : countFitting(sizes, limit)
  return sizes.map((size, index) => size === 0 || index < first)
}

/** Batches that are written concurrently. */
const maxConcurrentWrites = 2

/**
 * The time for which a batch is written alone while the next one fills: larger batches cost less per item. After it, a
 * second batch starts, so that one that waits for a lock does not block the others.
 */
const exclusiveTime = Duration.millis(50)

/** Callers that wait; further ones fail at once, so that the queue stays bounded. */
const maxWaiting = 5_000

type Result<Done, E> = Effect.Effect<Done, E | ServiceUnavailableError>

interface Pending<Item, Done, E> {
  readonly item: Item
  /** Whether its caller has a result. */
  isSettled: boolean
  readonly resume: (result: Result<Done, E>) => void
}

interface Options<Item> {
  /** The sum of the sizes of a batch of several items. */
  readonly maxBatch: number
  /** The default is 1. */
  readonly sizeOf?: (item: Item) => number
  /** Octets of an item, which extend its caller's deadline. The default is none. */
  readonly octetsOf?: (item: Item) => number
  /**
   * Whether a batch always starts after the results of the one before: for statements that take PostgreSQL less time
   * than this process takes to respond, where an early start only makes batches smaller.
   */
  readonly resultsFirst?: boolean
}

const overloaded = new ServiceUnavailableError({ message: "Too many requests are waiting", retryAfterSeconds: 1 })

/**
 * Lets concurrent callers share transactions. A batch is written as soon as a writer is free; later items form the next
 * batch. Without load no caller waits; under load callers share the cost of a commit. `write` returns one result per
 * item, in order. A caller fails at its request's deadline, extended by the item's size (`octetsOf`); its item is
 * dropped unless it is being written.
 *
 * A batch has at most half as many items as the batch before it and the waiting items together. Callers that repeat
 * their requests then form two equal batches, and PostgreSQL writes one while this process answers the other. Without
 * the limit, a batch of nearly all callers and one of very few alternate, and PostgreSQL and this process wait for each
 * other. If the next batch is as large as the one that is written, it starts before the callers of that one have their
 * results: PostgreSQL does not wait for the responses. A smaller one starts after them.
 */
export const groupCommit = <Item, Done, E>(
  write: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Result<Done, E>>, ServiceUnavailableError>,
  { maxBatch, octetsOf = () => 0, resultsFirst = false, sizeOf = () => 1 }: Options<Item>
): Effect.Effect<(item: Item) => Result<Done, E>, never, Scope.Scope> =>
  Effect.gen(function* () {
    // An array, since the garbage collector promotes all items of a linked queue.
    const waiting: Array<Pending<Item, Done, E>> = []
    const arrival = yield* Effect.makeLatch(false)

    /** The results of items. If the database refuses one of them, the items are written one by one. */
    const resultsOf = (items: ReadonlyArray<Item>): Effect.Effect<ReadonlyArray<Result<Done, E>>> =>
      Effect.catchAllCause(write(items), (cause) =>
        items.length > 1 && Cause.isDie(cause)
          ? Effect.map(
              Effect.forEach(items, (item) => resultsOf([item])),
              Array.flatten
            )
          : Effect.succeed(items.map(() => Effect.failCause(cause)))
      )

    let lastSize = 0
    let writes = 0
    const writerFree = yield* Effect.makeLatch(true)
    const settle = Effect.fnUntraced(function* (batch: ReadonlyArray<Pending<Item, Done, E>>, written: Effect.Latch) {
      const open = batch.filter(({ isSettled }) => !isSettled)
      const results = yield* open.length === 0 ? Effect.succeed([]) : resultsOf(open.map(({ item }) => item))
      const isNextFirst = !resultsFirst && waiting.length >= batch.length
      const freeWriter = Effect.sync(() => {
        writes -= 1
        writerFree.unsafeOpen()
        written.unsafeOpen()
      })
      if (isNextFirst) yield* Effect.zipRight(freeWriter, nextTurn)
      for (const [{ resume }, result] of Array.zip(open, results)) resume(result)
      if (!isNextFirst) yield* freeWriter
    })
    const start = Effect.fnUntraced(function* (restore: <A>(wait: Effect.Effect<A>) => Effect.Effect<A>) {
      yield* restore(Effect.zipRight(writerFree.await, arrival.await))
      const half = Math.ceil((lastSize + waiting.length) / 2)
      const sizes = waiting.slice(0, half).map(({ item }) => sizeOf(item))
      const batch = waiting.splice(0, countFitting(sizes, maxBatch))
      if (waiting.length === 0) arrival.unsafeClose()
      lastSize = batch.length
      if (++writes === maxConcurrentWrites) writerFree.unsafeClose()
      const written = Effect.unsafeMakeLatch()
      yield* Effect.fork(settle(batch, written))
      yield* restore(Effect.timeoutOption(written.await, exclusiveTime))
    })
    // One fiber starts all batches. Two that contend for a semaphore would not do: the one that never gets its permit
    // keeps a stack frame for each batch of the other.
    yield* Effect.forkScoped(Effect.forever(Effect.uninterruptibleMask(start)))

    // A callback instead of a `Deferred` with a finalizer, which would double the cost of a request.
    return (item) =>
      withinDeadline((deadline) =>
        Effect.async<Done, E | ServiceUnavailableError>((resume) => {
          const one: Pending<Item, Done, E> = {
            item,
            isSettled: false,
            resume: (result) => {
              one.isSettled = true
              end()
              resume(result)
            }
          }
          const end = beginWait(deadline, () => one.resume(databaseTimeout), octetsOf(item))
          if (waiting.length === maxWaiting) one.resume(overloaded)
          else waiting.push(one)
          arrival.unsafeOpen()
          return Effect.sync(end)
        })
      )
  })
