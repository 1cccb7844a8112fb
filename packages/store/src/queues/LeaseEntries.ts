import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { LeaseHistory, LeaseRequest } from "@switchboard/services/queues/WorkQueue"
import { Array, Duration, Effect, Record } from "effect"
import { prepared } from "../database/Prepared.js"
import {
  type Lane,
  type LowWaterMarks,
  lanes,
  maxOwners,
  minId,
  type Station,
  turnsPerRound,
  type VisitedOwner
} from "./LowWaterMarks.js"
import { fromMicros, laneOf, type QueueTable, toMicros, visibleBefore } from "./QueueTables.js"

/** The columns that every lease sets. An attempt that has begun at this point has no outcome. */
export const newLease = "is_repeat = q.begun_at IS NOT NULL, begun_at = NULL"

/**
 * SQL: the place of an entry among those of its owner, given its number within its lane. An entry of lane 1 takes the
 * turn after `turnsPerRound - 1` entries of lane 0, of which the owner had `turns` already.
 */
const rankOf = (lane: string, number: string, turns: string) =>
  `CASE WHEN ${lane} = 0 THEN ${number} ELSE ${turnsPerRound - 1} * ${number} - ${turns} + 0.5 END`

/**
 * Leases ready entries round robin: one entry of each owner, then the next of each. `$1` are the parts of the owners, in
 * order. Unknown owners are found by a skip scan of the index, so that the cost does not depend on the number of entries,
 * and known ones from their marks. The share per owner is equal, so that few more rows are locked than leased. Returns a
 * row per owner with ready entries at least.
 *
 * The queue fills and empties faster than its statistics are updated, and a plan made with the statistics of an empty
 * queue can compare every entry with every other. So the queue is not joined: locked rows are found again by their
 * `ctid`, which no other transaction can change while they are locked.
 */
const leaseStatement = (table: QueueTable) => {
  const { columns, hasLanes, name, owner } = table
  const order = `q.${owner}, ${hasLanes ? "q.lane, " : ""}q.ready_at, q.id`
  const isIn = (lane: number) => (hasLanes ? `q.lane = ${lane}` : String(lane === 0))

  /** The ready entries of a lane, from the mark of a row with an owner. */
  const readyOf = (row: string, lane: number) => /* sql */ `FROM ${name}_queue AS q
    WHERE q.${owner} = ${row}.owner AND ${isIn(lane)} AND q.lease_until IS NULL
      AND (q.ready_at, q.id) >= (${row}.ready_${lane}, ${row}.id_${lane})`

  const isReady = (lane: number) => `(SELECT true ${readyOf("s", lane)} ORDER BY ${order} LIMIT 1)`

  /** The next unknown owner of a part, after another owner. */
  const unknownAfter = (before: string) => /* sql */ `(SELECT q.${owner} FROM ${name}_queue AS q
      WHERE q.lease_until IS NULL AND q.${owner} > ${before} AND q.${owner} < s.next AND q.ready_at >= s.floor
      ORDER BY ${order} LIMIT 1)`

  const lock = (lane: number, limit: string) => /* sql */ `lane_${lane} AS MATERIALIZED (
      SELECT q.ctid AS place_in_table, q.ready_at, q.id ${readyOf("o", lane)} AND q.id <> ALL ($7::uuid[])
      ORDER BY ${order} LIMIT ${limit} FOR UPDATE SKIP LOCKED
    )`

  return /* sql */ `
WITH RECURSIVE stations AS MATERIALIZED (
  SELECT s.*, ${fromMicros("$2")} AS floor, ${lanes.map((lane) => `${fromMicros(`s.micros_${lane}`)} AS ready_${lane}`)}
  FROM json_to_recordset($1::json) AS s(owner uuid, next uuid, is_known boolean, turns int,
    ${lanes.map((lane) => `micros_${lane} float8, id_${lane} uuid`)})
), owners AS MATERIALIZED (
  SELECT row_number() OVER () AS turn, f.* FROM stations AS s CROSS JOIN LATERAL (
    SELECT s.owner, s.turns, ${lanes.map((lane) => `s.ready_${lane}, s.id_${lane}`)}
    WHERE s.is_known AND (${lanes.map(isReady).join(" OR ")})
    UNION ALL
    SELECT g.owner, 0, ${lanes.map(() => `s.floor, '${minId}'::uuid`)} FROM (
      WITH RECURSIVE gap AS (
        SELECT ${unknownAfter("s.owner")} AS owner
        UNION ALL
        SELECT ${unknownAfter("gap.owner")} FROM gap WHERE gap.owner IS NOT NULL
      )
      SELECT owner FROM gap WHERE owner IS NOT NULL
    ) AS g
  ) AS f LIMIT ${maxOwners}
), share AS MATERIALIZED (
  SELECT least($3::int, ceil($4::numeric / greatest(count(*), 1))::int) AS entries, ${toMicros(visibleBefore)} AS settled
  FROM owners
), candidates AS MATERIALIZED (
  SELECT o.turn, e.lane, e.place_in_table, row_number() OVER (PARTITION BY o.turn ORDER BY e.rank) AS place
  FROM owners AS o CROSS JOIN LATERAL (
    WITH ${lock(0, "(SELECT entries FROM share)")}, ${lock(
      1,
      `greatest((SELECT (entries + o.turns) / ${turnsPerRound} FROM share),
        (SELECT entries FROM share) - (SELECT count(*) FROM lane_0))`
    )}
    ${lanes
      .map((lane) => {
        const number = "row_number() OVER (ORDER BY ready_at, id)"
        return `SELECT ${lane} AS lane, place_in_table, ${rankOf(String(lane), number, "o.turns")} AS rank FROM lane_${lane}`
      })
      .join("\n    UNION ALL ")}
  ) AS e
), chosen AS MATERIALIZED (
  SELECT place_in_table FROM candidates WHERE place <= (SELECT entries FROM share) ORDER BY place, turn LIMIT $4::int
), leased AS (
  UPDATE ${name}_queue AS q SET worker = $5, lease_until = now() + make_interval(secs => $6), ${newLease}
  WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM chosen))
  RETURNING ${["organization_id", "id", "lease_expiries", "is_repeat", "ready_at", ...columns].map((column) => `q.${column}`)},
    q.${owner} AS owner, ${laneOf(table)} AS in_lane
), numbered AS (
  SELECT l.*, row_number() OVER (PARTITION BY l.owner, l.in_lane ORDER BY l.ready_at, l.id) AS number FROM leased AS l
)
SELECT o.owner, ${["organization_id", "id", "lease_expiries", "is_repeat", ...columns].map((column) => `n.${column}`)},
  n.in_lane, ${toMicros("n.ready_at")} AS ready_micros, o.turns, ${lanes.map((lane) => `f.found_${lane}`)},
  row_number() OVER (PARTITION BY o.owner ORDER BY ${rankOf("n.in_lane", "n.number", "o.turns")})::int AS place,
  share.entries AS share, share.settled
FROM share LEFT JOIN owners AS o ON true LEFT JOIN numbered AS n ON n.owner = o.owner LEFT JOIN (
  SELECT turn, ${lanes.map((lane) => `count(*) FILTER (WHERE lane = ${lane})::int AS found_${lane}`)}
  FROM candidates GROUP BY turn
) AS f ON f.turn = o.turn
ORDER BY place, o.turn`
}

/** A leased entry. */
export interface LeaseRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly owner: string
  readonly lease_expiries: number
  readonly is_repeat: boolean
}

/** The earlier leases of a leased row. */
export const leaseHistory = ({ is_repeat, lease_expiries }: LeaseRow): LeaseHistory => ({
  leaseExpiries: lease_expiries,
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
