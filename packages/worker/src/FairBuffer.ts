import { Effect } from "effect"
import { awaitBatch, makeSignal } from "./Signal.js"

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

/**
 * The slots of a loop. An entry leaves the buffer for a free slot, is selected until it is begun, and has the slot until
 * its attempt ends.
 */
export const makeSlots = <Owner, Entry>(buffer: FairBuffer<Owner, Entry>, concurrency: number, share: number) =>
  Effect.gen(function* () {
    const selected = new Set<Entry>()
    const selectedSignal = yield* makeSignal
    const noneInUse = yield* makeSignal
    let inUse = 0
    /** Whether an owner waits for its only selected entry, which is not delayed by the backlog of another owner. */
    let isUrgent = false
    /** Whether an entry is attempted alone, or waits for that: no other entry leaves the buffer. */
    let isAlone = false

    const occupy = (entry: Entry): void => {
      inUse += 1
      selected.add(entry)
    }

    /** Whether no attempt is running: then waiting for more entries or outcomes is pointless. */
    const isIdle = () => inUse === selected.size

    const awaitNoneInUse: Effect.Effect<void> = Effect.suspend(() =>
      inUse === 0 ? Effect.void : Effect.zipRight(noneInUse.wait, awaitNoneInUse)
    )

    // Half of the slots of one owner, so that the attempts of the other half run at the same time.
    const awaitBatchSelected = awaitBatch(selectedSignal, () => isUrgent || selected.size >= share / 2 || isIdle())

    return {
      isIdle,

      /** Moves entries from the buffer into free slots. Returns false while an entry is attempted alone. */
      fill: (): boolean => {
        if (isAlone) return false
        while (inUse < concurrency) {
          const entry = buffer.next()
          if (entry === undefined) break
          occupy(entry)
          isUrgent ||= buffer.isAlone(entry)
        }
        if (selected.size > 0) selectedSignal.send()
        return true
      },

      /** Waits for selected entries, and for several if more are expected soon. */
      awaitSelected: Effect.map(awaitBatchSelected, (): ReadonlyArray<Entry> => {
        isUrgent = false
        return [...selected]
      }),

      /** Ends the selection of an entry, which keeps its slot. Returns false if it is not selected. */
      deselect: (entry: Entry): boolean => selected.delete(entry),

      /** Begins the entries again that are still selected. */
      retrySelected: (): void => {
        if (selected.size > 0) selectedSignal.send()
      },

      free: (entry: Entry): void => {
        inUse -= 1
        buffer.done(entry)
        if (inUse === 0 && isAlone) noneInUse.send()
      },

      /** Waits until no slot is in use, selects the entry, which is not buffered, and waits until its slot is free. */
      runAlone: (entry: Entry): Effect.Effect<void> =>
        Effect.gen(function* () {
          isAlone = true
          yield* awaitNoneInUse
          buffer.occupy(entry)
          occupy(entry)
          selectedSignal.send()
          yield* awaitNoneInUse
        }).pipe(
          Effect.ensuring(
            Effect.sync(() => {
              isAlone = false
            })
          )
        )
    }
  })
