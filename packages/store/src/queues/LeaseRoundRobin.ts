import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { LeaseHistory, LeaseRequest } from "@switchboard/services/queues/WorkQueue"
import { Array, Duration, Effect, Record } from "effect"
import { prepared } from "../database/Prepared.js"
import { leaseStatement } from "./LeaseStatement.js"
import {
  type Lane,
  type LowWaterMarks,
  maxOwners,
  type Station,
  turnsPerRound,
  type VisitedOwner
} from "./LowWaterMarks.js"
import type { QueueTable } from "./QueueTables.js"

/** A leased entry. */
export interface LeaseRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly owner: string
  readonly takeovers: number
  readonly is_repeat: boolean
}

/** The earlier leases of a leased row. */
export const leaseHistory = ({ is_repeat, takeovers }: LeaseRow): LeaseHistory => ({
  leaseExpiries: takeovers,
  isRepeat: is_repeat
})

/** The columns of every row of the statement. */
interface Visited {
  /** Before this time (microseconds since 1970), all entries were visible. */
  readonly settled: number
  /** The maximum number of entries per owner in this round. */
  readonly share: number
  /** Null in the only row if no owner has ready entries. */
  readonly owner: string | null
  readonly turns: number
  /** The number of entries found, by lane; null for none. */
  readonly found_0: number | null
  readonly found_1: number | null
}

type Leased<Lease> = Lease &
  Visited & {
    readonly in_lane: Lane
    readonly ready_micros: number
    /** 1 for the first entry of its owner, 2 for the next… */
    readonly place: number
  }

/** A row without a lease has no id. */
type Row<Lease> = Leased<Lease> | (Visited & { readonly id: null })

const isLeased = <Lease extends LeaseRow>(row: Row<Lease>): row is Leased<Lease> => row.id !== null

const stationRecord = ({ mark, next, owner }: Station) => {
  if (mark === null) return { owner, next, is_known: false }
  const [first, second] = mark.positions
  // A string, since JSON has no infinity.
  const micros = ({ readyAt }: { readonly readyAt: number }) => String(readyAt)
  const positions = { micros_0: micros(first), id_0: first.id, micros_1: micros(second), id_1: second.id }
  return { owner, next, is_known: true, turns: mark.turns, ...positions }
}

const visitedOf = <Lease extends LeaseRow>(rows: ReadonlyArray<Row<Lease>>): ReadonlyArray<VisitedOwner> =>
  Record.toEntries(Array.groupBy(rows, ({ owner }) => owner ?? "")).flatMap(([owner, [visited, ...more]]) => {
    if (owner === "") return []
    const leased = [visited, ...more].filter(isLeased).map(({ id, in_lane: lane, ready_micros }) => ({
      lane,
      readyAt: ready_micros,
      id
    }))
    const leasedOf = (lane: Lane) => leased.filter((one) => one.lane === lane).length
    const { found_0, found_1, share, turns } = visited
    const first = found_0 ?? 0
    const second = found_1 ?? 0
    const secondLimit = Math.max(Math.floor((share + turns) / turnsPerRound), share - first)
    const isExhausted = [
      first < share && leasedOf(0) === first,
      second < secondLimit && leasedOf(1) === second
    ] as const
    return [{ owner, leased, isExhausted }]
  })

/**
 * Leases entries in rounds: unused shares of owners with few entries go to owners with more. The oldest entry of an
 * owner first; owners in order, starting after `cursor`. Requires a transaction; the marks are invalid if it fails.
 */
export const leaseRoundRobin = <Lease extends LeaseRow>(table: QueueTable, marks: LowWaterMarks) => {
  const statement = prepared(`lease_${table.name}`, leaseStatement(table))
  return Effect.fnUntraced(function* (sql: SqlClient.SqlClient, request: LeaseRequest, cursor: string) {
    let leases: ReadonlyArray<Lease> = []
    let at = cursor
    let unseen: number | undefined
    let perOwner = request.perOwner
    let hasMore = true
    while (hasMore && leases.length < request.limit && perOwner > 0) {
      const part = marks.part(at, request.skipped)
      const rows = yield* sql.unsafe<Row<Lease>>(statement, [
        JSON.stringify(part.stations.map(stationRecord)),
        part.floor,
        perOwner,
        request.limit - leases.length,
        request.worker,
        Duration.toSeconds(request.lease),
        [...request.except]
      ])
      const [first] = rows
      if (first === undefined) break
      const visited = visitedOf(rows)
      marks.visit(visited, first.settled, part)
      const round = rows.filter(isLeased)
      leases = [...leases, ...round]
      // An owner that used its complete share may have more entries.
      hasMore = round.some(({ place, share }) => place === share)
      perOwner -= first.share
      if (!hasMore && visited.length < maxOwners) {
        unseen = (unseen ?? part.total) - part.stations.length
        hasMore = unseen > 0
        at = part.end
        perOwner = request.perOwner
      }
    }
    return leases
  })
}
