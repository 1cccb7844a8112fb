/** The record of a recipient at the peers of a scenario. Each recipient belongs to one message. */
export class Seen {
  /** The times of attempts, in milliseconds of `performance.now()`. */
  readonly tries: Array<number> = []
  /** How often each part was accepted, including parts whose response the client did not receive. */
  readonly parts = new Map<string, number>()
  /** A peer refused the message permanently. */
  isRefused = false

  accept(part: string): void {
    this.parts.set(part, (this.parts.get(part) ?? 0) + 1)
  }

  get copies(): number {
    return Math.max(0, ...this.parts.values())
  }
}

/** The records of all peers of a scenario. */
export class Truth {
  private readonly seen = new Map<string, Seen>()

  of(recipient: string): Seen {
    const known = this.seen.get(recipient)
    if (known !== undefined) return known
    const fresh = new Seen()
    this.seen.set(recipient, fresh)
    return fresh
  }

  all(): ReadonlyMap<string, Seen> {
    return this.seen
  }
}
