import type { LeaseHistory } from "@switchboard/services/queues/WorkQueue"
import { Array, Duration, Effect, Fiber, FiberSet, Queue, type Scope, Stream } from "effect"
import { attemptEntries } from "./Attempts.js"
import { FairBuffer } from "./FairBuffer.js"
import { HeldEntries, type HeldEntry, leaseEnd } from "./HeldEntries.js"
import { logFailure } from "./LogFailure.js"
import type { QueueWork, WorkLoopOptions } from "./QueueWork.js"
import { runPeriodically } from "./RunPeriodically.js"
import { retrySchedule, settle } from "./Settling.js"
import { Slots } from "./Slots.js"
import { take } from "./Taking.js"

/** The default share of the slots for one owner. */
const maxShare = 0.8

/** How long a stopping loop waits for its last outcomes to be stored. */
const storeTimeout = "5 seconds"

/**
 * Runs a queue: takes batches ahead, buffers them in turns between owners, begins selected entries in one statement,
 * attempts them with bounded concurrency, and settles in batches. Entries that are paused before their attempt return to
 * the queue. When its scope closes, it takes no more, waits `grace` for running attempts, and releases the rest.
 */
export const workLoop = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  options: WorkLoopOptions
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    type Entry = HeldEntry<Item>

    const { concurrency, lease, worker } = options
    const share = options.ownerShare ?? Math.max(1, Math.floor(concurrency * maxShare))
    const buffer = new FairBuffer<Owner, Entry>(({ item }) => work.ownerOf(item), share)
    const held = new HeldEntries(work.keyOf, work.weight)
    const slots = new Slots<Entry>()
    const suspects = yield* Queue.unbounded<Entry>()
    const running = yield* FiberSet.make<Done>()
    let isStopping = false
    const taking = yield* take(work, options, { buffer, held, suspects })

    /**
     * Extends leases. An entry that another worker has leased is removed from the buffer. If it had begun, the counted
     * expiry is reverted, since this worker is alive.
     */
    const renew = Effect.fnUntraced(function* (entries: ReadonlyArray<Entry>) {
      if (entries.length === 0) return
      const until = yield* leaseEnd(lease)
      const renewed = yield* work.queue.renew(
        worker,
        entries.map(({ key }) => key),
        lease
      )
      const [lost, still] = Array.partition(entries, ({ key }) => renewed.has(key.id))
      for (const entry of still) entry.until = until
      taking.release(lost.filter((entry) => buffer.remove(entry)))
      const begun = lost.filter((entry) => entry.stage !== "waiting" && held.has(entry) && !entry.isForgiven)
      if (begun.length === 0) return
      yield* work.queue.forgive(begun.map(({ key }) => key))
      for (const entry of begun) entry.isForgiven = true
    })

    const settling = yield* settle(work, {
      batch: options.batch,
      isIdle: () => slots.isIdle(),
      isStopping: () => isStopping,
      renew,
      release: taking.release
    })
    const attempts = yield* attemptEntries(work, options, {
      held,
      buffer,
      suspects,
      slots,
      share,
      running,
      isStopping: () => isStopping,
      offer: settling.offer,
      release: taking.release,
      takeMore: taking.takeMore
    })

    const releaseLeases = (entries: ReadonlyArray<Entry>) =>
      Effect.suspend(() =>
        entries.length === 0
          ? Effect.void
          : work.queue.release(
              worker,
              entries.map(({ key }) => key)
            )
      )

    const releaseUnbegun = work.releaseUnbegun

    /** Returns entries that were not begun to the queue. If their release fails, their leases expire. */
    const returnUnbegun = (entries: ReadonlyArray<Entry>) =>
      releaseUnbegun === undefined
        ? Effect.ensuring(
            releaseLeases(entries),
            Effect.sync(() => taking.release(entries))
          )
        : Effect.forEach(
            entries,
            (entry) => {
              entry.stage = "ended"
              return Effect.map(releaseUnbegun(entry.item), (outcome) => settling.offer(entry, outcome))
            },
            { discard: true }
          )

    /** Returns buffered entries that are paused by now. */
    const returnPaused = Effect.flatMap(work.pause.isPaused, (isPaused) => {
      const paused = held
        .all()
        .filter(({ item, stage }) => stage === "waiting" && isPaused(work.ownerOf(item)))
        .filter((entry) => buffer.remove(entry))
      return returnUnbegun(paused)
    })

    const forever = <A, E>(round: Effect.Effect<A, E>, what: string) =>
      Effect.forever(round).pipe(
        Effect.tapErrorCause(logFailure(`${work.name}: ${what}`)),
        Effect.sandbox,
        Effect.retry(retrySchedule),
        Effect.ignore,
        Effect.forkScoped
      )

    const takeRound = Effect.gen(function* () {
      if (yield* taking.round) {
        yield* returnPaused
        attempts.dispatch()
      }
      yield* taking.awaitWork
    })

    const starting = [
      yield* forever(takeRound, "taking"),
      yield* forever(attempts.beginRound, "beginning"),
      yield* forever(attempts.suspectRound, "attempting alone"),
      // A take may find the entries of owners whose pause ended.
      yield* forever(
        Stream.runForEach(work.pause.changes, () => Effect.zipRight(returnPaused, Effect.sync(taking.wake))),
        "pausing"
      )
    ]
    const storing = yield* forever(settling.round, "settling")
    yield* Effect.forkScoped(Stream.runForEach(work.queue.woken, (owner) => Effect.sync(() => taking.notified(owner))))
    const renewing = Effect.suspend(() => renew(held.all()))
    yield* forever(Effect.zipRight(Effect.sleep(Duration.times(lease, 1 / 3)), renewing), "renewing")
    yield* runPeriodically(work.queue.recover, Duration.times(lease, 1 / 4), `${work.name}: recovering lost leases`)
    yield* forever(Effect.zipRight(work.queue.promote, work.queue.awaitDue), "promoting due entries")

    /** Runs an effect in a finalizer with a timeout; it is made interruptible for that. */
    const within = <A, E>(effect: Effect.Effect<A, E>, limit: Duration.DurationInput) =>
      Effect.ignore(Effect.timeout(Effect.interruptible(effect), limit))

    // Added last, so that it runs first when the scope closes.
    yield* Effect.addFinalizer(() =>
      Effect.gen(function* () {
        isStopping = true
        yield* Fiber.interruptAll(starting)
        yield* within(FiberSet.awaitEmpty(running), options.grace)
        yield* within(FiberSet.clear(running), storeTimeout)
        // An interrupted attempt may have sent its mail: it is flagged as a repeat, and no lease expiry is counted.
        const [waiting, begun] = Array.partition(
          held.all().filter(({ stage }) => stage !== "ended"),
          ({ stage }) => stage === "begun"
        )
        yield* within(returnUnbegun(waiting), storeTimeout)
        yield* within(releaseLeases(begun), storeTimeout)
        yield* Fiber.interruptFork(storing)
        yield* within(Fiber.await(storing), storeTimeout)
        yield* within(settling.rest, storeTimeout)
      })
    )
  })
