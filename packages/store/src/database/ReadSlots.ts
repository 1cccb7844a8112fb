import type { OrganizationId } from "@switchboard/domain/organizations/Organization"

/**
 * Concurrent reads of one organization in one process. More of them complete no sooner where the database has two CPUs,
 * and delay the statements of other organizations.
 */
export const maxReads = 2

interface Read {
  readonly organization: OrganizationId
  readonly start: (end: () => void) => void
}

/**
 * Shares read slots fairly between organizations. An organization takes at most `maxReads` slots, and never more than
 * remain free, so that the first read of another organization finds a slot. The next read is one of the organization
 * with the fewest running reads; reads of one organization start in order.
 */
export class ReadSlots {
  private readonly running = new Map<OrganizationId, number>()
  private readonly waiting = new Set<Read>()

  constructor(private free: number) {}

  /** The number of reads that wait for a slot. */
  get waitingCount(): number {
    return this.waiting.size
  }

  /** Starts a read when a slot is free. The read calls `end` to release the slot. */
  enter(organization: OrganizationId, start: (end: () => void) => void): void {
    this.waiting.add({ organization, start })
    this.admit()
  }

  private admit(): void {
    for (let next = this.next(); next !== undefined; next = this.next()) {
      const { organization, start } = next
      this.waiting.delete(next)
      this.change(organization, 1)
      let hasEnded = false
      start(() => {
        if (hasEnded) return
        hasEnded = true
        this.change(organization, -1)
        this.admit()
      })
    }
  }

  private next(): Read | undefined {
    let best: Read | undefined
    let fewest = Math.min(maxReads, this.free)
    for (const read of this.waiting) {
      const reads = this.running.get(read.organization) ?? 0
      if (reads >= fewest) continue
      best = read
      fewest = reads
      if (reads === 0) break
    }
    return best
  }

  private change(organization: OrganizationId, by: number): void {
    this.free -= by
    const reads = (this.running.get(organization) ?? 0) + by
    if (reads === 0) this.running.delete(organization)
    else this.running.set(organization, reads)
  }
}
