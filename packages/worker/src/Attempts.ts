import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { nextTurn } from "@switchboard/services/NextTurn"
import { type LeaseHistory, maxLeaseExpiries } from "@switchboard/services/queues/WorkQueue"
import { Cause, type Clock, Duration, Effect, Exit, FiberSet, Option, Queue } from "effect"
import { awaitBatch } from "./AwaitBatch.js"
import type { FairBuffer } from "./FairBuffer.js"
import { type HeldEntries, type HeldEntry, leaseEnd } from "./HeldEntries.js"
import type { QueueWork, WorkLoopOptions } from "./QueueWork.js"
import { makeSignal } from "./Signal.js"
import type { Slots } from "./Slots.js"

/** How long other entries wait while a suspect is attempted alone. */
const aloneTimeout = "15 seconds"

/**
 * The attempts that are started in one turn of the event loop: a larger batch would delay what other owners wait for.
 */
const maxStartsPerTurn = 4

/** The functions and the state of the loop that holds the entries. */
interface Holder<Owner extends string, Item, Done> {
  readonly held: HeldEntries<Item>
  readonly buffer: FairBuffer<Owner, HeldEntry<Item>>
  /** Entries that are attempted alone, because their leases expired before. */
  readonly suspects: Queue.Queue<HeldEntry<Item>>
  readonly slots: Slots<HeldEntry<Item>>
  /** The maximum number of slots for one owner. */
  readonly share: number
  readonly running: FiberSet.FiberSet<Done>
  readonly isStopping: () => boolean
  /** Stores an outcome. */
  readonly offer: (entry: HeldEntry<Item>, done: Done) => void
  /** Removes entries without an outcome. */
  readonly release: (entries: ReadonlyArray<HeldEntry<Item>>) => void
  /** Signals a take if the buffer can use more entries. */
  readonly takeMore: () => void
}

/** Moves entries from the buffer into free slots, marks them as begun in one statement, and attempts them. */
export const attemptEntries = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  { concurrency, lease, worker }: WorkLoopOptions,
  holder: Holder<Owner, Item, Done>
) =>
  Effect.gen(function* () {
    type Entry = HeldEntry<Item>

    const { buffer, held, isStopping, offer, release, running, share, slots, suspects, takeMore } = holder
    const { selected } = slots
    const selectedSignal = yield* makeSignal
    const noneInFlight = yield* makeSignal
    /** Whether an owner waits for its only selected entry, which is not delayed by the backlog of another owner. */
    let isUrgent = false
    /** Whether an entry is attempted alone, or waits for that: no other entry leaves the buffer. */
    let isAlone = false

    const freePlace = (entry: Entry): void => {
      slots.free()
      buffer.done(entry)
      if (slots.inUse === 0 && isAlone) noneInFlight.send()
    }

    // Runs after every take and after every attempt: fills the free slots, and signals a take before the buffer is
    // empty.
    const dispatch = (): void => {
      if (isStopping() || isAlone) return
      while (slots.inUse < concurrency) {
        const entry = buffer.next()
        if (entry === undefined) break
        slots.select(entry)
        isUrgent ||= buffer.isAlone(entry)
      }
      if (selected.size > 0) selectedSignal.send()
      takeMore()
    }

    const ended = (entry: Entry, exit: Exit.Exit<Done>): void => {
      freePlace(entry)
      if (Exit.isSuccess(exit)) {
        entry.stage = "ended"
        offer(entry, exit.value)
      } else if (!Cause.isInterruptedOnly(exit.cause)) {
        // A defect has no outcome: the lease expires, which is counted.
        release([entry])
      }
      dispatch()
    }

    /** Starts an attempt in a fiber of its own. */
    const start = (entry: Entry, clock: Clock.Clock) => {
      const isHeld = () => clock.unsafeCurrentTimeNanos() < entry.until && held.has(entry)
      const attempt =
        entry.item.leaseExpiries >= maxLeaseExpiries ? work.giveUp(entry.item) : work.attempt(entry.item, isHeld)
      const logged = Effect.tapDefect(attempt, (defect) =>
        Effect.logError(`${work.name}: an attempt died of a defect`, defect)
      )
      return Effect.map(FiberSet.run(running, Effect.interruptible(logged)), (fiber) =>
        fiber.addObserver((exit) => ended(entry, exit))
      )
    }

    // Half of the slots of one owner, so that the attempts of the other half run at the same time.
    const isEnough = () => isUrgent || selected.size >= share / 2 || slots.isIdle()
    const awaitSelected = awaitBatch(selectedSignal, isEnough)

    /** Marks the selected entries as begun and starts their attempts. Interruptible until they are begun. */
    const beginRound = Effect.uninterruptibleMask((restore) =>
      Effect.gen(function* () {
        yield* restore(awaitSelected)
        isUrgent = false
        const entries = [...selected]
        if (entries.length === 0) return
        const until = yield* leaseEnd(Duration.times(lease, 1 / 2))
        const keys = entries.map(({ key }) => key)
        const begun = yield* Effect.tapError(restore(work.queue.begin(worker, keys, lease)), () =>
          Effect.sync(selectedSignal.send)
        )
        const clock = yield* Effect.clock
        let started = 0
        for (const entry of entries) {
          if (entry.until < until) entry.until = until
          if (!begun.has(entry.key.id)) {
            if (!selected.delete(entry)) continue
            release([entry])
            freePlace(entry)
            // If the response arrives after the end of the lease, the entry is begun again.
          } else if (clock.unsafeCurrentTimeNanos() < entry.until && selected.delete(entry)) {
            entry.stage = "begun"
            yield* start(entry, clock)
            if (++started % maxStartsPerTurn === 0) yield* nextTurn
          }
        }
        if (selected.size > 0) selectedSignal.send()
        dispatch()
      })
    )

    const awaitNoneInFlight: Effect.Effect<void> = Effect.suspend(() =>
      slots.inUse === 0 ? Effect.void : Effect.zipRight(noneInFlight.wait, awaitNoneInFlight)
    )

    /** Waits until no attempt is running, attempts the entry, and waits for its end. */
    const attemptAlone = (entry: Entry) =>
      awaitNoneInFlight.pipe(
        Effect.zipRight(
          Effect.sync(() => {
            buffer.occupy(entry)
            slots.select(entry)
            selectedSignal.send()
          })
        ),
        Effect.zipRight(awaitNoneInFlight)
      )

    /**
     * Attempts suspects alone. Other entries wait for at most `aloneTimeout`, and then run for as long as they waited.
     * A suspect that exceeds the timeout does not crash its worker, so a later expiry of its lease is not counted.
     */
    const suspectRound: Effect.Effect<void, ServiceUnavailableError> = Effect.gen(function* () {
      const entry = yield* Queue.take(suspects)
      isAlone = true
      const [took, ended] = yield* attemptAlone(entry).pipe(
        Effect.timeoutOption(aloneTimeout),
        Effect.ensuring(
          Effect.sync(() => {
            isAlone = false
            dispatch()
          })
        ),
        Effect.timed
      )
      if (Option.isNone(ended)) {
        if (selected.delete(entry)) freePlace(entry)
        yield* entry.stage === "waiting" ? Queue.offer(suspects, entry) : work.queue.forgive([entry.key])
      }
      yield* Effect.sleep(took)
    })

    return { dispatch, beginRound, suspectRound }
  })
