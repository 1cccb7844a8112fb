import { Duration, Option } from "effect"

/**
 * What was looked up lately, for whoever can do without a fiber if it is still known. It is forgotten by time, or
 * all at once: where there is no room, or somebody says that it has changed. Then it is looked up again.
 */
export class Recent<Key, Value> {
  private readonly known = new Map<Key, { readonly value: Value; readonly until: number }>()
  private readonly keptFor: number

  constructor(
    private readonly capacity: number,
    keptFor: Duration.DurationInput
  ) {
    this.keptFor = Duration.toMillis(keptFor)
  }

  /** Keeps what was found by a look-up that began at this time, in milliseconds. */
  keep(key: Key, value: Value, at: number): void {
    if (this.known.size >= this.capacity) this.known.clear()
    this.known.set(key, { value, until: at + this.keptFor })
  }

  /** What is known at this time, in milliseconds. */
  at(key: Key, now: number): Option.Option<Value> {
    const found = this.known.get(key)
    if (found !== undefined && now < found.until) return Option.some(found.value)
    this.known.delete(key)
    return Option.none()
  }

  /** Everything may be otherwise by now. */
  forget(): void {
    this.known.clear()
  }
}
