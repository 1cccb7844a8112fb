/** The slots for concurrent attempts. A slot is in use from when its entry leaves the buffer until its attempt ends. */
export class Slots<Entry> {
  /** Entries that left the buffer and are not marked as begun. */
  readonly selected = new Set<Entry>()
  private count = 0

  /** The number of slots in use. */
  get inUse(): number {
    return this.count
  }

  select(entry: Entry): void {
    this.count += 1
    this.selected.add(entry)
  }

  free(): void {
    this.count -= 1
  }

  /** Whether no attempt is running: then waiting for more entries is pointless. */
  isIdle(): boolean {
    return this.count === this.selected.size
  }
}
