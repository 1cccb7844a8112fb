import type { EntryKey } from "@switchboard/services/queues/WorkQueue"
import { Clock, Duration, Effect } from "effect"

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

/** The weight of an item, and the maximum total weight to hold. */
export interface ItemWeight<Item> {
  readonly of: (item: Item) => number
  readonly max: number
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
