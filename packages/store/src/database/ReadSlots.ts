import type { OrganizationId } from "@switchboard/domain/organizations/Organization"

/**
 * Concurrent reads of one organization in one process. More of them complete no sooner where the database has two CPUs,
 * and delay the statements of other organizations.
 */
export const maxReads = 2

/** The duration of a long read, in milliseconds: two of them at the same time delay the requests of others too much. */
const longRead = 5

/** The weight of the last read in the average duration of an organization's reads. */
const lastWeight = 0.25

interface Read {
  readonly organization: OrganizationId
  readonly start: (end: () => void) => void
}

/** An organization with running or waiting reads. */
interface Reader {
  running: number
  waiting: number
  /** The moving average of the duration of its reads, in milliseconds. */
  duration: number
}

/**
 * Shares read slots fairly between organizations. An organization takes at most `maxReads` slots, or one while its reads
 * are long, and never more than remain free, so that the first read of another organization finds a slot. The next read
 * is one of the organization with the fewest running reads; reads of one organization start in order.
 */
export class ReadSlots {
  private readonly readers = new Map<OrganizationId, Reader>()
  private readonly waiting: Array<Read> = []

  constructor(
    private free: number,
    private readonly now: () => number = () => performance.now()
  ) {}

  /** The number of reads that wait for a slot. */
  get waitingCount(): number {
    return this.waiting.length
  }

  /** Starts a read when a slot is free. The read calls `end` to release the slot. */
  enter(organization: OrganizationId, start: (end: () => void) => void): void {
    this.waiting.push({ organization, start })
    this.readerOf(organization).waiting += 1
    this.admit()
  }

  private readerOf(organization: OrganizationId): Reader {
    const known = this.readers.get(organization)
    if (known !== undefined) return known
    const reader = { running: 0, waiting: 0, duration: 0 }
    this.readers.set(organization, reader)
    return reader
  }

  private admit(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const { organization, start } = next
      const reader = this.readerOf(organization)
      this.waiting.splice(this.waiting.indexOf(next), 1)
      this.free -= 1
      reader.waiting -= 1
      reader.running += 1
      const startedAt = this.now()
      let hasEnded = false
      start(() => {
        if (hasEnded) return
        hasEnded = true
        this.free += 1
        reader.running -= 1
        reader.duration += (this.now() - startedAt - reader.duration) * lastWeight
        if (reader.running + reader.waiting === 0) this.readers.delete(organization)
        this.admit()
      })
    }
  }

  private next(): Read | undefined {
    let best: Read | undefined
    let fewest = Math.min(maxReads, this.free)
    for (const read of this.waiting) {
      const { duration, running } = this.readerOf(read.organization)
      if (running >= fewest || (running > 0 && duration > longRead)) continue
      best = read
      fewest = running
      if (running === 0) break
    }
    return best
  }
}
