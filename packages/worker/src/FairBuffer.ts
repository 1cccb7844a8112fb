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
