import type { EntryKey, LeaseHistory } from "@switchboard/services/queues/WorkQueue"
import { Array, Clock, Duration, Effect } from "effect"
import type { FairBuffer } from "./FairBuffer.js"
import { type ItemWeight, progressDelay, type QueueWork, type WorkLoopOptions } from "./QueueWork.js"
import { logFailure } from "./ScheduledJobs.js"

/** An entry from its lease until its outcome is stored. */
export interface HeldEntry<Item> {
  readonly item: Item
  readonly key: EntryKey
  /** The end of the lease by the monotonic clock in nanoseconds; never later than by the database's clock. */
  until: bigint
  /** `begun` during the attempt, `ended` until the outcome is stored. */
  stage: "waiting" | "begun" | "ended"
  /** Whether another worker leased the entry while this one attempts it, and the counted expiry was reverted. */
  isForgiven: boolean
}

/** The entries that a loop has leased and not settled. */
export class HeldEntries<Item> {
  private readonly entries = new Map<string, HeldEntry<Item>>()
  private heldWeight = 0

  constructor(
    private readonly keyOf: (item: Item) => EntryKey,
    private readonly weight: ItemWeight<Item> | undefined
  ) {}

  /** Adds leased items. An item that is held already (its lease expired during the attempt) is skipped. */
  add(items: ReadonlyArray<Item>, until: bigint): ReadonlyArray<HeldEntry<Item>> {
    return items.flatMap((item) => {
      const key = this.keyOf(item)
      if (this.entries.has(key.id)) return []
      const entry: HeldEntry<Item> = { item, key, until, stage: "waiting", isForgiven: false }
      this.entries.set(key.id, entry)
      this.heldWeight += this.weightOf(entry)
      return [entry]
    })
  }

  /** Whether this entry is held, rather than a later lease of the same key. */
  has(entry: HeldEntry<Item>): boolean {
    return this.entries.get(entry.key.id) === entry
  }

  remove(entry: HeldEntry<Item>): void {
    if (!this.has(entry)) return
    this.entries.delete(entry.key.id)
    this.heldWeight -= this.weightOf(entry)
  }

  all(): ReadonlyArray<HeldEntry<Item>> {
    return [...this.entries.values()]
  }

  /** The weight that can still be added. */
  capacity(): number {
    return this.weight === undefined ? Number.POSITIVE_INFINITY : this.weight.max - this.heldWeight
  }

  private weightOf({ item }: HeldEntry<Item>): number {
    return this.weight === undefined ? 0 : this.weight.of(item)
  }
}

/** The earliest end of a lease that is requested now: measured from before the statement is sent. */
export const leaseEnd = (lease: Duration.Duration): Effect.Effect<bigint> =>
  Effect.map(Clock.currentTimeNanos, (now) => now + BigInt(Math.floor(Duration.toMillis(lease) * 1e6)))

/** The leases of the entries that a loop holds. */
export const makeHeldLeases = <Owner extends string, Item extends LeaseHistory, Done>(
  { name, queue, storeProgress }: QueueWork<Owner, Item, Done>,
  { lease, worker }: WorkLoopOptions,
  held: HeldEntries<Item>,
  buffer: FairBuffer<Owner, HeldEntry<Item>>,
  capacityFreed: () => void
) =>
  Effect.gen(function* () {
    type Entries = ReadonlyArray<HeldEntry<Item>>
    const scope = yield* Effect.scope
    const keysOf = (entries: Entries) => entries.map(({ key }) => key)

    /** Removes entries. Freed capacity allows the next take of entries that were left in the queue. */
    const remove = (entries: Entries): void => {
      const before = held.capacity()
      for (const entry of entries) held.remove(entry)
      if (held.capacity() > before) capacityFreed()
    }

    return {
      remove,

      /** Marks entries as begun. Returns the ids of those whose lease still holds. */
      begin: (entries: Entries) => queue.begin(worker, keysOf(entries), lease),

      /**
       * Extends leases. An entry that another worker has leased is removed from the buffer. If it had begun, the counted
       * expiry is reverted, since this worker is alive.
       */
      renew: Effect.fnUntraced(function* (entries: Entries) {
        if (entries.length === 0) return
        const until = yield* leaseEnd(lease)
        const renewed = yield* queue.renew(worker, keysOf(entries), lease)
        const [lost, still] = Array.partition(entries, ({ key }) => renewed.has(key.id))
        for (const entry of still) entry.until = until
        remove(lost.filter((entry) => buffer.remove(entry)))
        const begun = lost.filter((entry) => entry.stage !== "waiting" && held.has(entry) && !entry.isForgiven)
        if (begun.length === 0) return
        yield* queue.forgive(keysOf(begun))
        for (const entry of begun) entry.isForgiven = true
      }),

      /** Returns entries to the queue. */
      release: (entries: Entries) =>
        Effect.suspend(() => (entries.length === 0 ? Effect.void : queue.release(worker, keysOf(entries)))),

      /**
       * Stores the progress of entries whose attempts have not ended after `progressDelay`. A failure is only logged:
       * outcomes include it.
       */
      storeProgressLater: (entries: Entries) =>
        storeProgress === undefined || entries.length === 0
          ? Effect.void
          : Effect.suspend(() => {
              const open = entries.filter((entry) => entry.stage !== "ended" && held.has(entry))
              return open.length === 0 ? Effect.void : storeProgress(open.map(({ item }) => item))
            }).pipe(
              Effect.tapErrorCause(logFailure(`${name}: storing progress`)),
              Effect.ignore,
              Effect.delay(progressDelay),
              Effect.interruptible,
              Effect.forkIn(scope)
            )
    }
  })
