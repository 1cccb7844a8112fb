import type { EntryKey } from "@switchboard/services/queues/WorkQueue"
import { Clock, Duration, Effect } from "effect"

/** An entry from its lease until its outcome is stored. */
export interface HeldEntry<Item> {
  readonly item: Item
  readonly key: EntryKey
  /** When its lease may run out, by the monotonic clock (nanoseconds). Never later than by the database's clock. */
  until: bigint
  /** Whether its attempt has begun, or has ended with an outcome that is not stored yet. */
  stage: "waiting" | "begun" | "ended"
  /** Whether another worker took it over from this living one, and that was taken back. */
  isForgiven: boolean
}

/** What an item weighs while it is held, and how much may be held. */
export interface ItemWeight<Item> {
  readonly of: (item: Item) => number
  readonly most: number
}

/** The entries that a loop holds. */
export class HeldEntries<Item> {
  private readonly entries = new Map<string, HeldEntry<Item>>()

  constructor(
    private readonly keyOf: (item: Item) => EntryKey,
    private readonly weight: ItemWeight<Item> | undefined
  ) {}

  /** Adds what was just leased. An entry whose lease ran out unnoticed while it is attempted is no other one. */
  add(items: ReadonlyArray<Item>, until: bigint): ReadonlyArray<HeldEntry<Item>> {
    return items.flatMap((item) => {
      const key = this.keyOf(item)
      if (this.entries.has(key.id)) return []
      const entry: HeldEntry<Item> = { item, key, until, stage: "waiting", isForgiven: false }
      this.entries.set(key.id, entry)
      return [entry]
    })
  }

  /** Whether this very entry is held, and not a later lease of it. */
  has(entry: HeldEntry<Item>): boolean {
    return this.entries.get(entry.key.id) === entry
  }

  remove(entry: HeldEntry<Item>): void {
    if (this.has(entry)) this.entries.delete(entry.key.id)
  }

  all(): ReadonlyArray<HeldEntry<Item>> {
    return [...this.entries.values()]
  }

  /** How much more may be held. */
  room(): number {
    if (this.weight === undefined) return Number.POSITIVE_INFINITY
    let left = this.weight.most
    for (const { item } of this.entries.values()) left -= this.weight.of(item)
    return left
  }
}

/** When a lease that is asked for at this moment runs out at the earliest: `lease` from now, before the statement is sent. */
export const leaseEnd = (lease: Duration.Duration): Effect.Effect<bigint> =>
  Effect.map(Clock.currentTimeNanos, (now) => now + BigInt(Math.floor(Duration.toMillis(lease) * 1e6)))
