import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import { type LeaseHistory, maxLeaseExpiries } from "@switchboard/services/queues/WorkQueue"
import { Cause, Clock, Duration, Effect, FiberSet, Option, Queue } from "effect"
import { awaitBatch } from "./AwaitBatch.js"
import type { FairBuffer } from "./FairBuffer.js"
import { type HeldEntries, type HeldEntry, leaseEnd } from "./HeldEntries.js"
import type { QueueWork, WorkLoopOptions } from "./QueueWork.js"
import type { Slots } from "./Slots.js"

/** How long other entries wait while a suspect is attempted alone. */
const aloneTimeout = "15 seconds"

/** The functions and the state of the loop that holds the entries. */
interface Holder<Owner extends string, Item, Done> {
  readonly held: HeldEntries<Item>
  readonly buffer: FairBuffer<Owner, HeldEntry<Item>>
  /** Entries that are attempted alone, because their leases expired before. */
  readonly suspects: Queue.Queue<HeldEntry<Item>>
  readonly slots: Slots<HeldEntry<Item>>
  /** The maximum number of slots for one owner. */
  readonly share: number
  readonly running: FiberSet.FiberSet<void>
  readonly isStopping: () => boolean
  /** Stores an outcome. */
  readonly offer: (entry: HeldEntry<Item>, done: Done) => Effect.Effect<unknown>
  /** Removes entries without an outcome. */
  readonly release: (entries: ReadonlyArray<HeldEntry<Item>>) => Effect.Effect<void>
  /** Signals a take if the buffer can use more entries. */
  readonly takeMore: Effect.Effect<void>
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
    const selectedSignal = yield* Queue.sliding<void>(1)
    const noneInFlight = yield* Queue.sliding<void>(1)
    /** Whether an entry is attempted alone, or waits for that: no other entry leaves the buffer. */
    let isAlone = false

    const freePlace = (entry: Entry) =>
      Effect.suspend(() => {
        slots.free()
        buffer.done(entry)
        return slots.inUse === 0 && isAlone ? Queue.offer(noneInFlight, undefined) : Effect.void
      })

    const isHeld = (entry: Entry) => Effect.map(Clock.currentTimeNanos, (now) => now < entry.until && held.has(entry))

    const attempt = (entry: Entry) =>
      (entry.item.leaseExpiries >= maxLeaseExpiries
        ? work.giveUp(entry.item)
        : work.attempt(entry.item, isHeld(entry))
      ).pipe(
        Effect.ensuring(freePlace(entry)),
        Effect.flatMap((outcome) => {
          entry.stage = "ended"
          return offer(entry, outcome)
        }),
        // A defect has no outcome: the lease expires, which is counted.
        Effect.catchAllCause((cause) =>
          Cause.isInterruptedOnly(cause)
            ? Effect.void
            : Effect.zipRight(release([entry]), Effect.logError(`${work.name}: an attempt died of a defect`, cause))
        ),
        Effect.zipRight(Effect.suspend(() => dispatch)),
        Effect.asVoid
      )

    // Runs after every take and after every attempt: fills the free slots, and signals a take before the buffer is
    // empty.
    const dispatch: Effect.Effect<void> = Effect.suspend(() => {
      if (isStopping() || isAlone) return Effect.void
      while (slots.inUse < concurrency) {
        const entry = buffer.next()
        if (entry === undefined) break
        slots.select(entry)
      }
      return Effect.zipRight(selected.size > 0 ? Queue.offer(selectedSignal, undefined) : Effect.void, takeMore)
    })

    const enoughSelected = Math.min(concurrency / 4, share / 2)
    const awaitSelected = awaitBatch(selectedSignal, () => selected.size >= enoughSelected || slots.isIdle())

    /** Marks the selected entries as begun and starts their attempts. */
    const beginRound = Effect.gen(function* () {
      yield* awaitSelected
      const entries = [...selected]
      if (entries.length === 0) return
      const until = yield* leaseEnd(Duration.times(lease, 1 / 2))
      const keys = entries.map(({ key }) => key)
      const begun = yield* Effect.tapError(work.queue.begin(worker, keys, lease), () =>
        Queue.offer(selectedSignal, undefined)
      )
      const now = yield* Clock.currentTimeNanos
      for (const entry of entries) {
        if (entry.until < until) entry.until = until
        if (!begun.has(entry.key.id)) {
          if (!selected.delete(entry)) continue
          yield* Effect.zipRight(release([entry]), freePlace(entry))
          // If the response arrives after the end of the lease, the entry is begun again.
        } else if (now < entry.until && selected.delete(entry)) {
          entry.stage = "begun"
          yield* FiberSet.run(running, attempt(entry))
        }
      }
      if (selected.size > 0) yield* Queue.offer(selectedSignal, undefined)
      yield* dispatch
    })

    const awaitNoneInFlight: Effect.Effect<void> = Effect.suspend(() =>
      slots.inUse === 0 ? Effect.void : Effect.zipRight(Queue.take(noneInFlight), awaitNoneInFlight)
    )

    /** Waits until no attempt is running, attempts the entry, and waits for its end. */
    const attemptAlone = (entry: Entry) =>
      awaitNoneInFlight.pipe(
        Effect.zipRight(
          Effect.suspend(() => {
            buffer.occupy(entry)
            slots.select(entry)
            return Queue.offer(selectedSignal, undefined)
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
          Effect.suspend(() => {
            isAlone = false
            return dispatch
          })
        ),
        Effect.timed
      )
      if (Option.isNone(ended)) {
        if (selected.delete(entry)) yield* freePlace(entry)
        yield* entry.stage === "waiting" ? Queue.offer(suspects, entry) : work.queue.forgive([entry.key])
      }
      yield* Effect.sleep(took)
    })

    return { dispatch, beginRound, suspectRound }
  })
