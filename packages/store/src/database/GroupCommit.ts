import { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { Array, Cause, Duration, Effect, Fiber, Queue, type Scope } from "effect"
import { beginWait, noAnswer, withinDeadline } from "./Unavailable.js"

/** Batches of one process that are written at the same time, at most. */
const inFlight = 2

/**
 * How long a batch is written alone. While it is, the next one gathers, and the more it gathers the less each of it
 * costs: one at a time is cheaper than two of half the size. But one that takes long, since it waits for somebody's
 * lock, does not hold up all others.
 */
const alone = Duration.millis(50)

/** How many callers may wait before the next are turned away: a queue that only grows helps nobody. */
const waitingRoom = 5_000

interface Waiting<Item, Done, E> {
  readonly item: Item
  /** Whether its caller has an answer, and need not have another. */
  isOver: boolean
  readonly answer: (result: Effect.Effect<Done, E | ServiceUnavailableError>) => void
}

const crowded = new ServiceUnavailableError({ message: "Too many requests are waiting", retryAfterSeconds: 1 })

/**
 * Lets concurrent callers share transactions: a batch is written as soon as one may be, and whoever comes meanwhile is
 * in the next. At rest nobody waits; under load the price of a commit is shared. `write` answers one result an item,
 * in their order. A caller that waits too long is turned away, and its item with it unless that is being written:
 * `octetsOf` says how much there is to write.
 */
export const groupCommit = <Item, Done, E>(
  write: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Effect.Effect<Done, E>>, ServiceUnavailableError>,
  most: number,
  octetsOf: (item: Item) => number
): Effect.Effect<(item: Item) => Effect.Effect<Done, E | ServiceUnavailableError>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const waiting = yield* Queue.dropping<Waiting<Item, Done, E>>(waitingRoom)

    const settle = (batch: ReadonlyArray<Waiting<Item, Done, E>>): Effect.Effect<void> =>
      write(batch.map(({ item }) => item)).pipe(
        Effect.matchCauseEffect({
          onSuccess: (results) =>
            Effect.sync(() => {
              for (const [{ answer }, result] of Array.zip(batch, results)) answer(result)
            }),
          onFailure: (cause) =>
            // One item that the database can't take must not take the others with it: they are tried one by one.
            batch.length > 1 && Cause.isDie(cause)
              ? Effect.forEach(batch, (one) => settle([one]), { discard: true })
              : Effect.sync(() => {
                  for (const { answer } of batch) answer(Effect.failCause(cause))
                })
        })
      )

    const settleWanted = (batch: Iterable<Waiting<Item, Done, E>>) =>
      Effect.suspend(() => {
        const wanted = Array.filter(batch, ({ isOver }) => !isOver)
        return wanted.length === 0 ? Effect.void : settle(wanted)
      })

    const turn = yield* Effect.makeSemaphore(1)
    const start = Effect.uninterruptibleMask((restore) =>
      Effect.flatMap(restore(Queue.takeBetween(waiting, 1, most)), (batch) =>
        Effect.tap(Effect.fork(settleWanted(batch)), (written) =>
          restore(Effect.timeoutOption(Fiber.await(written), alone))
        )
      )
    )
    const round = Effect.flatMap(turn.withPermits(1)(start), Fiber.join)
    for (let writer = 0; writer < inFlight; writer++) yield* Effect.forkScoped(Effect.forever(round))

    // A callback, not a `Deferred` with its finalizer: that would cost a request as much as to store what it brings.
    return (item) =>
      withinDeadline((deadline) =>
        Effect.async<Done, E | ServiceUnavailableError>((resume) => {
          const one: Waiting<Item, Done, E> = {
            item,
            isOver: false,
            answer: (result) => {
              one.isOver = true
              end()
              resume(result)
            }
          }
          const end = beginWait(deadline, () => one.answer(noAnswer), octetsOf(item))
          if (!waiting.unsafeOffer(one)) one.answer(crowded)
          return Effect.sync(end)
        })
      )
  })
