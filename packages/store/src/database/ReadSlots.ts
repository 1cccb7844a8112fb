import type { OrganizationId } from "@switchboard/domain/organizations/Organization"

/** Reads of one organization under way in one process. */
export const maxReads = 4

interface Read {
  readonly organization: OrganizationId
  readonly start: (end: () => void) => void
}

/**
 * Shares slots for reads between organizations. An organization takes at most `maxReads`, and never more than it leaves
 * free: the first read of another organization finds a slot. Of the reads that wait, the next is one of the organization
 * with the fewest under way; reads of one organization start in their order.
 */
export class ReadSlots {
  private readonly underWay = new Map<OrganizationId, number>()
  private readonly waiting = new Set<Read>()

  constructor(private free: number) {}

  /** Starts a read as soon as it has a slot. The slot is free again when the read calls `end`. */
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
      const reads = this.underWay.get(read.organization) ?? 0
      if (reads >= fewest) continue
      best = read
      fewest = reads
      if (reads === 0) break
    }
    return best
  }

  private change(organization: OrganizationId, by: number): void {
    this.free -= by
    const reads = (this.underWay.get(organization) ?? 0) + by
    if (reads === 0) this.underWay.delete(organization)
    else this.underWay.set(organization, reads)
  }
}
