import { type LeaseHistory, suspectAfter } from "@switchboard/services/queues/WorkQueue"
import { Array, Clock, Effect, Queue } from "effect"
import type { FairBuffer } from "./FairBuffer.js"
import { type HeldEntries, type HeldEntry, leaseEnd } from "./HeldEntries.js"
import { logFailure } from "./LogFailure.js"
import { progressDelay, type QueueWork, type WorkLoopOptions } from "./QueueWork.js"
import { makeSignal } from "./Signal.js"

/** Where taken entries are put. */
interface Destination<Owner extends string, Item> {
  readonly held: HeldEntries<Item>
  readonly buffer: FairBuffer<Owner, HeldEntry<Item>>
  /** Entries with expired leases. */
  readonly suspects: Queue.Enqueue<HeldEntry<Item>>
}

/** Takes entries ahead of their attempts, up to the capacity by weight. */
export const take = <Owner extends string, Item extends LeaseHistory, Done>(
  work: QueueWork<Owner, Item, Done>,
  { batch, idle, lease, worker }: WorkLoopOptions,
  { buffer, held, suspects }: Destination<Owner, Item>
) =>
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const wake = yield* makeSignal
    const capacityFreed = yield* makeSignal
    const enough = Math.ceil(batch / 2)
    // Whether the last take may have left ready entries: of any owner, or of the owners excluded as saturated.
    let mayBeMore = true
    let limited: ReadonlySet<Owner> = new Set()
    // Whether the last take left entries for lack of capacity.
    let isFull = false
    // Whether a take is running or requested.
    let isDue = false
    // The owners with new entries since the take was sent; null: any owner.
    const notifiedOwners = new Set<string | null>()

    /** Allows the next take after new entries, unless all are of an owner with enough buffered ones. */
    const allow = (owner: string | null) => {
      const saturated = buffer.saturated(enough).find((one) => one === owner)
      if (saturated === undefined) wake.send()
      else limited = new Set([...limited, saturated])
    }

    const { storeProgress } = work

    /** Stores the progress of entries whose attempts have not ended by then. A failure is only logged: outcomes include it. */
    const storeLater = (entries: ReadonlyArray<HeldEntry<Item>>) =>
      storeProgress === undefined || entries.length === 0
        ? Effect.void
        : Effect.suspend(() => {
            const open = entries.filter((entry) => entry.stage !== "ended" && held.has(entry))
            return open.length === 0 ? Effect.void : storeProgress(open.map(({ item }) => item))
          }).pipe(
            Effect.tapErrorCause(logFailure(`${work.name}: storing progress`)),
            Effect.ignore,
            Effect.delay(progressDelay),
            Effect.interruptible,
            Effect.forkIn(scope)
          )

    /** Takes a batch if there is capacity; returns whether there was. */
    const round = Effect.gen(function* () {
      isDue = true
      const capacity = held.capacity()
      if (capacity <= 0 && work.weight?.hasWeightless !== true) return false
      const admitted = yield* work.admission
      const pausedOwners = yield* work.pause.pausedOwners
      const saturated = buffer.saturated(enough)
      const limit = Math.min(admitted, batch)
      const now = yield* Clock.currentTimeNanos
      const until = yield* leaseEnd(lease)
      const except = held.all().flatMap((entry) => (entry.until <= now ? [entry.key.id] : []))
      const skipped = [...saturated, ...pausedOwners]
      const request = { worker, lease, limit, perOwner: limit, skipped, except, capacity }
      notifiedOwners.clear()
      // Uninterruptible: leased entries must reach the buffer.
      const taken = yield* Effect.uninterruptible(
        Effect.tap(work.take(request), (items) => {
          const added = held.add(items, until)
          const [others, suspicious] = Array.partition(added, ({ item }) => item.leaseExpiries >= suspectAfter)
          buffer.offer(others)
          return Effect.zipRight(Queue.offerAll(suspects, suspicious), storeLater(added))
        })
      )
      const isLimited = taken.length === limit
      // A take has a share for each owner with ready entries: if all of a full one have enough, no other owner is left.
      limited = new Set(isLimited ? [...saturated, ...buffer.saturated(enough)] : saturated)
      mayBeMore = isLimited && !taken.every((item) => limited.has(work.ownerOf(item)))
      isFull = capacity <= 0 && !isLimited
      return true
    }).pipe(
      Effect.ensuring(
        Effect.sync(() => {
          isDue = false
          notifiedOwners.forEach(allow)
          notifiedOwners.clear()
        })
      )
    )

    // Weightless takes release entries without capacity, which wakes all workers: so wait for capacity, not for a
    // wake-up.
    const awaitWork = Effect.suspend(() => (isFull && held.capacity() <= 0 ? capacityFreed : wake).wait).pipe(
      Effect.timeout(idle),
      Effect.catchTag("TimeoutException", () => Effect.void)
    )

    /** Removes entries. Freed capacity allows the next take of entries that were left in the queue. */
    const release = (entries: ReadonlyArray<HeldEntry<Item>>): void => {
      const before = held.capacity()
      for (const entry of entries) held.remove(entry)
      if (held.capacity() <= before) return
      wake.send()
      capacityFreed.send()
    }

    return {
      round,
      /** Waits until another take may return entries. */
      awaitWork,
      release,
      /** Allows the next take. */
      wake: wake.send,
      /** Allows the next take after new entries of an owner. During a take it is decided when the buffer has its entries. */
      notified: (owner: string | null) => {
        if (isDue) notifiedOwners.add(owner)
        else allow(owner)
      },
      /** Takes more if another take could return entries that the buffer can use: not known while one is running. */
      takeMore: () => {
        const canUse = !isDue && buffer.ready() < batch / 2
        if (!canUse || !(mayBeMore || [...limited].some((owner) => buffer.size(owner) < enough))) return
        isDue = true
        wake.send()
      }
    }
  })
