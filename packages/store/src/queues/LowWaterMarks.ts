import { Array, Clock, Effect } from "effect"
import { fromMicros, settledBefore, toMicros } from "./QueueTables.js"

const second = 1_000_000_000n

/** The minimum time between two full scans. */
const minInterval = 5n * second
/** The same when a full scan is known to find entries. */
const minHastenedInterval = second
/** The maximum time between two full scans, however expensive they are. */
const maxInterval = 30n * second
/** Full scans take at most this fraction of the time: 1 in 20. */
const maxShare = 20n

/** Decides when a scan covers all entries. Measures the full scans, so that expensive ones are rare. */
export class FullScans {
  private endedAt: bigint | undefined
  private duration = 0n
  private isHastened = false

  /** The first scan is a full one. */
  readonly isDue = Effect.map(Clock.currentTimeNanos, (now) => {
    if (this.endedAt === undefined) return true
    const shortest = this.isHastened ? minHastenedInterval : minInterval
    const cheap = this.duration * maxShare
    const interval = cheap < shortest ? shortest : cheap > maxInterval ? maxInterval : cheap
    return now - this.endedAt >= interval
  })

  /** Runs a full scan. A scan that fails counts too: a timeout is not repeated at once. */
  readonly run = <A, E, R>(scan: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.currentTimeNanos, (startedAt) => {
      this.isHastened = false
      return Effect.ensuring(
        scan,
        Effect.map(Clock.currentTimeNanos, (now) => {
          this.endedAt = now
          this.duration = now - startedAt
        })
      )
    })

  /** Makes a full scan due now. */
  reset(): void {
    this.endedAt = undefined
  }

  /** Makes the next full scan due sooner. */
  hasten(): void {
    this.isHastened = true
  }
}

/** SQL: the condition that a scan resumes at the parameter, the end of the last one. */
export const resumedAt = (column: string, parameter: string) =>
  `${column} >= least(${fromMicros(parameter)}, ${settledBefore})`

/** SQL: the end of a scan up to `end` that found the rows of `found`: the last row if there may be more. */
export const reachedBy = (found: string, column: string, end: string, limit: string | number) =>
  toMicros(`(SELECT CASE WHEN count(*) < ${limit} THEN ${end} ELSE max(${column}) END FROM ${found})`)

/**
 * A scan of an index in the order of a time, which changes the entries that it finds. It resumes where the last one
 * ended: the index still contains the changed entries while another transaction has an old snapshot, and a scan from
 * the beginning would read each of them again. Full scans find entries that were locked, or appeared behind that point.
 */
export class ResumedScan {
  /** Microseconds since 1970. */
  private start = Number.NEGATIVE_INFINITY
  private readonly full = new FullScans()

  /** `scan` gets the time to start at, and returns the time up to which it found all entries. */
  readonly run = <A extends { readonly reached: number }, E, R>(scan: (from: number) => Effect.Effect<A, E, R>) =>
    Effect.flatMap(this.full.isDue, (isFull) =>
      isFull ? this.full.run(scan(Number.NEGATIVE_INFINITY)) : scan(this.start)
    ).pipe(
      Effect.tap(({ reached }) => {
        this.start = reached
      })
    )
}

/** The lanes of an owner, the most urgent first. */
export const lanes = [0, 1] as const
export type Lane = (typeof lanes)[number]

/** An owner with entries in both lanes gets one entry of lane 1 in so many. */
export const turnsPerRound = 5

/** Owners that one statement considers. The next one continues after the last of them. */
export const maxOwners = 200

/** The maximum number of owners with marks. Beyond it, all marks are found again by a full scan. */
const maxMarks = 10_000

/** An owner that had at least this many leases keeps its marks without ready entries, for this many owners. */
const minKeptLeases = 5_000
const maxKept = 20

/** An id below, and one above, those of all owners and entries. */
export const minId = "00000000-0000-0000-0000-000000000000"
const maxId = "ffffffff-ffff-ffff-ffff-ffffffffffff"

/** A place in the order of a lane. */
interface Position {
  /** Microseconds since 1970. */
  readonly readyAt: number
  readonly id: string
}

/** The positions where the scan of each lane starts. */
interface Mark {
  positions: readonly [Position, Position]
  /** The leases of lane 0 since the last one of lane 1, up to a complete round. */
  turns: number
  leases: number
}

/** The oldest ready entry of an owner's lane that a scan found. */
export interface FoundEntry {
  readonly owner: string
  readonly lane: Lane
  readonly readyAt: number
}

/** A part of the owners in the order of their ids: `owner` from its marks, then the unknown owners before `next`. */
export interface Station {
  readonly owner: string
  readonly next: string
  /** Null: the owner itself is not considered. */
  readonly mark: Mark | null
}

/** All owners, or the first of them in turn. */
interface Part {
  readonly stations: ReadonlyArray<Station>
  /** The number of stations of all owners. */
  readonly total: number
  /** The cursor from which the next part starts. */
  readonly end: string
  /** The mark of unknown owners. */
  readonly floor: number
}

/** An owner with ready entries, and its leases in their order. */
export interface VisitedOwner {
  readonly owner: string
  readonly leased: ReadonlyArray<Position & { readonly lane: Lane }>
  /** Whether no further entries of the lane were ready. */
  readonly isExhausted: readonly [boolean, boolean]
}

const startOf = (readyAt: number): Position => ({ readyAt, id: minId })

const earlier = (a: Position, b: Position) =>
  a.readyAt < b.readyAt || (a.readyAt === b.readyAt && a.id < b.id) ? a : b

/**
 * The positions in the index of ready entries before which all entries are leased or gone, as far as this process has
 * seen. The index still contains them while another transaction has an old snapshot, so a scan from the beginning would
 * read each of them again. An entry below its mark (of a transaction that committed late, or returned by another
 * process) is found by a full scan of the table.
 */
export class LowWaterMarks {
  private readonly marks = new Map<string, Mark>()
  /** The mark of all other owners. */
  private floor = Number.NEGATIVE_INFINITY

  private unknown(): Mark {
    const start = startOf(this.floor)
    return { positions: [start, start], turns: 0, leases: 0 }
  }

  private of(owner: string): Mark {
    const known = this.marks.get(owner)
    if (known !== undefined) return known
    const mark = this.unknown()
    this.marks.set(owner, mark)
    return mark
  }

  private lower(mark: Mark, { lane, readyAt }: FoundEntry): void {
    const [first, second] = mark.positions
    const found = startOf(readyAt)
    mark.positions = lane === 0 ? [earlier(first, found), second] : [first, earlier(second, found)]
  }

  /** All owners, starting after `cursor`, or the first part of them. */
  part(cursor: string, saturated: ReadonlyArray<string>): Part {
    for (const owner of saturated) this.of(owner)
    const skipped = new Set(saturated)
    const known = [...this.marks.keys()].filter((owner) => owner !== cursor).sort()
    const after = known.filter((owner) => owner > cursor)
    const before = known.slice(0, known.length - after.length)
    const markOf = (owner: string) => (skipped.has(owner) ? null : (this.marks.get(owner) ?? this.unknown()))
    const upTo = (owners: ReadonlyArray<string>, end: string) =>
      owners.map((owner, index): Station => ({ owner, next: owners[index + 1] ?? end, mark: markOf(owner) }))
    const all = [
      { owner: cursor, next: after[0] ?? maxId, mark: null },
      ...upTo(after, maxId),
      ...(cursor === minId
        ? []
        : [
            { owner: minId, next: before[0] ?? cursor, mark: null },
            ...upTo(before, cursor),
            { owner: cursor, next: cursor, mark: markOf(cursor) }
          ])
    ]
    const stations = all.slice(0, maxOwners)
    return { stations, floor: this.floor, total: all.length, end: stations.at(-1)?.owner ?? cursor }
  }

  /** Records the owners with ready entries of a part of the owners. All entries before `settled` were visible. */
  visit(visited: ReadonlyArray<VisitedOwner>, settled: number, { stations, total }: Part): void {
    for (const { isExhausted, leased, owner } of visited) {
      const mark = this.of(owner)
      const after = (lane: Lane) => {
        if (isExhausted[lane]) return startOf(settled)
        const last = leased.findLast((one) => one.lane === lane)
        return last === undefined ? mark.positions[lane] : earlier(last, startOf(settled))
      }
      mark.positions = [after(0), after(1)]
      mark.leases += leased.length
      for (const { lane } of leased) mark.turns = lane === 0 ? Math.min(mark.turns + 1, turnsPerRound - 1) : 0
    }
    if (visited.length === maxOwners) return
    const isComplete = stations.length === total
    if (isComplete) this.floor = settled
    const busy = new Set(visited.flatMap(({ isExhausted, owner }) => (isExhausted.includes(false) ? [owner] : [])))
    const considered = [...stations.filter(({ mark }) => mark !== null), ...visited].map(({ owner }) => owner)
    this.forget(
      [...new Set(considered)].filter((owner) => !busy.has(owner)),
      isComplete ? maxKept : 0
    )
  }

  /** Removes the marks of owners without ready entries, except of some with the most leases. */
  private forget(idle: ReadonlyArray<string>, maxKept: number): void {
    const leasesOf = (owner: string) => this.marks.get(owner)?.leases ?? 0
    const [many, few] = Array.partition(idle, (owner) => leasesOf(owner) < minKeptLeases)
    const least = many.sort((a, b) => leasesOf(b) - leasesOf(a)).slice(maxKept)
    for (const owner of [...few, ...least]) this.marks.delete(owner)
  }

  /** Records entries that became ready again with their earlier times. */
  returned(entries: ReadonlyArray<FoundEntry>): void {
    for (const entry of entries) {
      const mark = this.marks.get(entry.owner)
      if (mark !== undefined || entry.readyAt < this.floor) this.lower(mark ?? this.of(entry.owner), entry)
    }
  }

  /** Records the result of a full scan: the oldest ready entries of all owners. All entries before `settled` were visible. */
  found(entries: ReadonlyArray<FoundEntry>, settled: number): void {
    this.floor = settled
    this.returned(entries)
    if (this.marks.size > maxMarks) this.clear()
  }

  /** Forgets all marks: the next scan starts at the beginning. */
  clear(): void {
    this.marks.clear()
    this.floor = Number.NEGATIVE_INFINITY
  }
}
