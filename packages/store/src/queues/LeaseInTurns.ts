import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { LeaseHistory, LeaseRequest } from "@switchboard/services/queues/WorkQueue"
import { Duration, Effect } from "effect"
import type { QueueTable } from "./QueueTables.js"

/** An entry that was leased just now. */
export interface LeaseRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly owner: string
  readonly takeovers: number
  readonly is_repeat: boolean
}

/** The earlier leases of a leased row. */
export const leaseHistory = ({ is_repeat, takeovers }: LeaseRow): LeaseHistory => ({ takeovers, isRepeat: is_repeat })

/** The columns that every lease sets: an attempt that has begun and is found here has no outcome. */
export const newLease = "is_repeat = q.begun_at IS NOT NULL, begun_at = NULL"

type Shared<Lease> = Lease & {
  /** 1 for the first of its owner, 2 for the next… */
  readonly place: number
  /** How many an owner could give. */
  readonly share: number
}

/** The cursor of the first take: an id below those of all owners. */
export const firstOwner = "00000000-0000-0000-0000-000000000000"

/** Owners that one take looks at: the next take goes on after the last of them. */
const ownersAtOnce = 200

/**
 * Leases what is ready, an entry of each owner, then the next of each…: the owners are found by skipping through the
 * index from one to the next, so that the number of entries does not matter. `$1` is where the last take ended. Each
 * owner gives an equal share at most, so that hardly more is locked than is leased.
 *
 * The queue fills and empties faster than statistics are taken, and a plan made from those of an emptied queue can
 * compare every entry with every other. So nothing is joined with it: what was locked is found again by where it lies
 * (`ctid`), which no other transaction can change under the lock.
 */
const leaseStatement = ({ columns, name, owner }: QueueTable) => /* sql */ `
WITH RECURSIVE after_cursor AS (
  (SELECT ${owner} AS owner, 1 AS n FROM ${name}_queue
    WHERE lease_until IS NULL AND ${owner} > $1 ORDER BY ${owner}, ready_at, id LIMIT 1)
  UNION ALL
  SELECT (SELECT q.${owner} FROM ${name}_queue AS q WHERE q.lease_until IS NULL
    AND q.${owner} > a.owner ORDER BY q.${owner}, q.ready_at, q.id LIMIT 1), a.n + 1
  FROM after_cursor AS a WHERE a.owner IS NOT NULL AND a.n <= ${ownersAtOnce}
), before_cursor AS (
  (SELECT ${owner} AS owner, 1 AS n FROM ${name}_queue
    WHERE lease_until IS NULL AND ${owner} <= $1 ORDER BY ${owner}, ready_at, id LIMIT 1)
  UNION ALL
  SELECT (SELECT q.${owner} FROM ${name}_queue AS q WHERE q.lease_until IS NULL
    AND q.${owner} > b.owner AND q.${owner} <= $1 ORDER BY q.${owner}, q.ready_at, q.id LIMIT 1), b.n + 1
  FROM before_cursor AS b WHERE b.owner IS NOT NULL AND b.n <= ${ownersAtOnce}
), owners AS MATERIALIZED (
  SELECT o.owner, row_number() OVER () AS turn FROM (
    (SELECT owner FROM after_cursor WHERE owner IS NOT NULL ORDER BY n)
    UNION ALL
    (SELECT owner FROM before_cursor WHERE owner IS NOT NULL ORDER BY n)
  ) AS o WHERE o.owner <> ALL ($2::uuid[]) LIMIT ${ownersAtOnce}
), share AS MATERIALIZED (
  SELECT least($3::int, ceil($4::numeric / greatest(count(*), 1))::int) AS entries FROM owners
), candidates AS (
  SELECT o.turn, e.place_in_table, row_number() OVER (PARTITION BY o.owner ORDER BY e.ready_at, e.id) AS place
  FROM owners AS o CROSS JOIN LATERAL (
    SELECT q.ctid AS place_in_table, q.ready_at, q.id FROM ${name}_queue AS q
    WHERE q.${owner} = o.owner AND q.lease_until IS NULL AND q.id <> ALL ($7::uuid[])
    ORDER BY q.${owner}, q.ready_at, q.id LIMIT (SELECT entries FROM share) FOR UPDATE SKIP LOCKED
  ) AS e
), chosen AS MATERIALIZED (
  SELECT place_in_table, place, turn FROM candidates ORDER BY place, turn LIMIT $4::int
), leased AS (
  UPDATE ${name}_queue AS q SET worker = $5, lease_until = now() + make_interval(secs => $6), ${newLease}
  WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM chosen))
  RETURNING q.*
)
SELECT ${["organization_id", "id", "takeovers", "is_repeat", ...columns].map((column) => `l.${column}`).join(", ")},
  o.owner, row_number() OVER (PARTITION BY o.owner ORDER BY l.ready_at, l.id)::int AS place,
  (SELECT entries FROM share) AS share
FROM leased AS l JOIN owners AS o ON o.owner = l.${owner} ORDER BY place, o.turn`

/**
 * Leases in rounds: what those with little leave of their shares goes to those with more. Oldest first within an owner,
 * one owner after the other, beginning after the owner `cursor`. To be run in a transaction.
 */
export const leaseInTurns = <Lease extends LeaseRow>(table: QueueTable) => {
  const statement = leaseStatement(table)
  return Effect.fnUntraced(function* (sql: SqlClient.SqlClient, request: LeaseRequest, cursor: string) {
    const leases: Array<Lease> = []
    let perOwner = request.perOwner
    let mayBeMore = true
    while (mayBeMore && leases.length < request.limit && perOwner > 0) {
      const round = yield* sql.unsafe<Shared<Lease>>(statement, [
        cursor,
        [...request.saturated],
        perOwner,
        request.limit - leases.length,
        request.worker,
        Duration.toSeconds(request.lease),
        [...request.except]
      ])
      leases.push(...round)
      // An owner that gave a whole share may have more; one that gave less has nothing left.
      mayBeMore = round.some(({ place, share }) => place === share)
      perOwner -= round[0]?.share ?? 0
    }
    return leases
  })
}
