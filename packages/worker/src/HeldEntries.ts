import type { EntryKey } from "@switchboard/services/queues/WorkQueue"
import type { ItemWeight } from "./QueueWork.js"

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

/**
 * A buffer of leased items that serves owners in turn, so that an owner with many items does not delay others. Not for
 * concurrent fibers: all methods are synchronous.
 */
export class FairBuffer<Owner, Item> {
  private readonly waiting = new Map<Owner, Set<Item>>()
  private readonly running = new Map<Owner, number>()

  /** At most `share` items of one owner are in progress at a time, so that a slow owner does not take all slots. */
  constructor(
    private readonly ownerOf: (item: Item) => Owner,
    private readonly share: number
  ) {}

  /** The number of buffered items, in total or of one owner. */
  size(owner?: Owner): number {
    if (owner !== undefined) return this.waiting.get(owner)?.size ?? 0
    let total = 0
    for (const items of this.waiting.values()) total += items.size
    return total
  }

  /** The number of buffered items that could be taken now. */
  ready(): number {
    let total = 0
    for (const [owner, items] of this.waiting) {
      total += Math.min(items.size, this.share - (this.running.get(owner) ?? 0))
    }
    return total
  }

  /** The owners with at least this many buffered items. */
  saturated(count: number): ReadonlyArray<Owner> {
    return [...this.waiting].filter(([, items]) => items.size >= count).map(([owner]) => owner)
  }

  offer(items: Iterable<Item>): void {
    for (const item of items) {
      const owner = this.ownerOf(item)
      const queue = this.waiting.get(owner)
      if (queue === undefined) this.waiting.set(owner, new Set([item]))
      else queue.add(item)
    }
  }

  /** Removes an item from the buffer. Returns false if it is not buffered. */
  remove(item: Item): boolean {
    const owner = this.ownerOf(item)
    const items = this.waiting.get(owner)
    if (items?.delete(item) !== true) return false
    if (items.size === 0) this.waiting.delete(owner)
    return true
  }

  /** Takes the next item, in turns between owners with a free slot; undefined if there is none. */
  next(): Item | undefined {
    for (const [owner, items] of this.waiting) {
      if ((this.running.get(owner) ?? 0) >= this.share) continue
      // A map iterates in insertion order: deleting and setting the owner moves it to the end.
      if (this.waiting.size > 1) {
        this.waiting.delete(owner)
        this.waiting.set(owner, items)
      }
      for (const item of items) {
        this.remove(item)
        this.occupy(item)
        return item
      }
    }
    return undefined
  }

  /** Counts an item in progress that did not come from `next`. */
  occupy(item: Item): void {
    const owner = this.ownerOf(item)
    this.running.set(owner, (this.running.get(owner) ?? 0) + 1)
  }

  /** Whether an item in progress is the only one of its owner. */
  isAlone(item: Item): boolean {
    return this.running.get(this.ownerOf(item)) === 1
  }

  /** Ends an item in progress and frees its slot. */
  done(item: Item): void {
    const owner = this.ownerOf(item)
    const left = (this.running.get(owner) ?? 1) - 1
    if (left === 0) this.running.delete(owner)
    else this.running.set(owner, left)
  }
}
