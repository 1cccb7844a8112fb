/**
 * Work that was fetched ahead, given out one owner after the other: whoever has much waits behind themselves, not
 * before the others. Belongs to one fiber system; nothing in it waits.
 */
export class FairBuffer<Owner, Item> {
  private readonly waiting = new Map<Owner, Array<Item>>()
  private readonly running = new Map<Owner, number>()

  /** At most `share` items of one owner are given out at a time, so that no owner's slowness takes all places. */
  constructor(
    private readonly ownerOf: (item: Item) => Owner,
    private readonly share: number
  ) {}

  /** How many items wait, or wait for one owner. */
  size(owner?: Owner): number {
    if (owner !== undefined) return this.waiting.get(owner)?.length ?? 0
    let total = 0
    for (const items of this.waiting.values()) total += items.length
    return total
  }

  /** How many items wait whose owners have places left. */
  ready(): number {
    let total = 0
    for (const [owner, items] of this.waiting) {
      total += Math.min(items.length, this.share - (this.running.get(owner) ?? 0))
    }
    return total
  }

  /** Those who have at least this many items waiting. */
  saturated(most: number): ReadonlyArray<Owner> {
    return [...this.waiting].filter(([, items]) => items.length >= most).map(([owner]) => owner)
  }

  offer(items: Iterable<Item>): void {
    for (const item of items) {
      const owner = this.ownerOf(item)
      const queue = this.waiting.get(owner)
      if (queue === undefined) this.waiting.set(owner, [item])
      else queue.push(item)
    }
  }

  /** Takes one item out; whether it waited. */
  remove(item: Item): boolean {
    const owner = this.ownerOf(item)
    const items = this.waiting.get(owner) ?? []
    const rest = items.filter((one) => one !== item)
    if (rest.length > 0) this.waiting.set(owner, rest)
    else this.waiting.delete(owner)
    return rest.length < items.length
  }

  /** The next item, of the owner who has waited longest for a turn and still has a place; undefined if there is none. */
  next(): Item | undefined {
    for (const [owner, items] of this.waiting) {
      if ((this.running.get(owner) ?? 0) >= this.share) continue
      const item = items.shift()
      // A map keeps the order of insertion: setting the owner again sends them to the end of the round.
      this.waiting.delete(owner)
      if (items.length > 0) this.waiting.set(owner, items)
      if (item !== undefined) this.occupy(item)
      return item
    }
    return undefined
  }

  /** An item that was given out takes a place of its owner. */
  occupy(item: Item): void {
    const owner = this.ownerOf(item)
    this.running.set(owner, (this.running.get(owner) ?? 0) + 1)
  }

  /** An item that was given out is done: its place is free. */
  done(item: Item): void {
    const owner = this.ownerOf(item)
    const left = (this.running.get(owner) ?? 1) - 1
    if (left === 0) this.running.delete(owner)
    else this.running.set(owner, left)
  }
}
