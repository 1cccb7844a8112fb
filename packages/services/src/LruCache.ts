interface Entry<Value> {
  readonly value: Value
  readonly weight: number
}

/** A cache of at most `maxWeight`, by default entries. The least recently used entries are evicted first. */
export class LruCache<Key, Value> {
  /** A map iterates in insertion order: an entry that is used moves to the end. */
  private readonly entries = new Map<Key, Entry<Value>>()
  private weight = 0

  constructor(private readonly maxWeight: number) {}

  get(key: Key): Value | undefined {
    const entry = this.entries.get(key)
    if (entry === undefined) return undefined
    this.entries.delete(key)
    this.entries.set(key, entry)
    return entry.value
  }

  /** All values, the least recently used first. */
  values(): ReadonlyArray<Value> {
    return Array.from(this.entries.values(), ({ value }) => value)
  }

  set(key: Key, value: Value, weight = 1): void {
    this.delete(key)
    this.entries.set(key, { value, weight })
    this.weight += weight
    for (const oldest of this.entries.keys()) {
      if (this.weight <= this.maxWeight) return
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    this.weight -= this.entries.get(key)?.weight ?? 0
    this.entries.delete(key)
  }
}
