import type { SqlClient } from "@effect/sql"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { LeaseHistory, LeaseRequest } from "@switchboard/services/queues/LeasedQueue"
import { Duration, Effect } from "effect"
import { leasedQueue, lockHeld } from "./HeldLeases.js"

/**
 * A table of entries that are ready for a worker (`lease_until` is null) or leased to one. It has the columns
 * `organization_id`, `id`, `ready_at`, `worker`, `lease_until`, `takeovers`, `begun_at` and `is_repeat`, and an index on
 * (owner, ready_at, id) of the ready entries. `worker` is the last holder: a lease that ran out leaves it in place.
 */
export interface LeaseTable {
  readonly name: string
  /** The column that tells whose an entry is: owners take turns. */
  readonly owner: string
  /** The columns that a lease returns besides `organization_id`, `id` and those of `LeaseRow`. */
  readonly columns: ReadonlyArray<string>
  /** On which it is said that something became ready. */
  readonly channel: string
}

/** An entry that was leased just now. */
export interface LeaseRow {
  readonly organization_id: OrganizationId
  readonly id: string
  /** Where it lies, for as long as the transaction that leased it lasts. */
  readonly place_in_table: string
  readonly takeovers: number
  readonly is_repeat: boolean
}

/** What a leased row says of the leases before. */
export const leaseHistory = ({ is_repeat, takeovers }: LeaseRow): LeaseHistory => ({ takeovers, isRepeat: is_repeat })

/** What every lease sets: the begun attempt that it finds is one without an outcome. */
export const newLease = "is_repeat = q.begun_at IS NOT NULL, begun_at = NULL"

/** What every outcome sets of an entry that stays in its queue. */
export const settledLease = "worker = NULL, takeovers = 0, begun_at = NULL"

type Shared<Entry> = Entry &
  LeaseRow & {
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
 * index from one to the next, so that how much waits does not matter. `$1` is where the last take ended. Each owner
 * gives an equal share at most, so that hardly more is locked than is leased.
 *
 * The queue fills and empties faster than statistics are taken, and a plan made from those of an emptied queue can
 * compare every entry with every other. So nothing is joined with it: what was locked is found again by where it lies
 * (`ctid`), which nobody can change under the lock.
 */
const leaseStatement = ({ columns, name, owner }: LeaseTable) => /* sql */ `
WITH RECURSIVE after_cursor AS (
  (SELECT ${owner} AS owner, 1 AS n FROM ${name}
    WHERE lease_until IS NULL AND ${owner} > $1 ORDER BY ${owner}, ready_at, id LIMIT 1)
  UNION ALL
  SELECT (SELECT q.${owner} FROM ${name} AS q WHERE q.lease_until IS NULL
    AND q.${owner} > a.owner ORDER BY q.${owner}, q.ready_at, q.id LIMIT 1), a.n + 1
  FROM after_cursor AS a WHERE a.owner IS NOT NULL AND a.n <= ${ownersAtOnce}
), before_cursor AS (
  (SELECT ${owner} AS owner, 1 AS n FROM ${name}
    WHERE lease_until IS NULL AND ${owner} <= $1 ORDER BY ${owner}, ready_at, id LIMIT 1)
  UNION ALL
  SELECT (SELECT q.${owner} FROM ${name} AS q WHERE q.lease_until IS NULL
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
    SELECT q.ctid AS place_in_table, q.ready_at, q.id FROM ${name} AS q
    WHERE q.${owner} = o.owner AND q.lease_until IS NULL AND q.id <> ALL ($7::uuid[])
    ORDER BY q.${owner}, q.ready_at, q.id LIMIT (SELECT entries FROM share) FOR UPDATE SKIP LOCKED
  ) AS e
), chosen AS MATERIALIZED (
  SELECT place_in_table, place, turn FROM candidates ORDER BY place, turn LIMIT $4::int
), leased AS (
  UPDATE ${name} AS q SET worker = $5, lease_until = now() + make_interval(secs => $6), ${newLease}
  WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM chosen))
  RETURNING q.*, q.ctid AS place_in_table
)
SELECT ${["organization_id", "id", "takeovers", "is_repeat", ...columns].map((column) => `l.${column}`).join(", ")},
  l.place_in_table::text,
  row_number() OVER (PARTITION BY o.owner ORDER BY l.ready_at, l.id)::int AS place,
  (SELECT entries FROM share) AS share
FROM leased AS l JOIN owners AS o ON o.owner = l.${owner} ORDER BY place, o.turn`

/** A take that looked while they were leased found nothing: the channel is notified again. */
const giveBackStatement = ({ channel, name }: LeaseTable) => /* sql */ `
WITH back AS (
  UPDATE ${name} SET worker = NULL, lease_until = NULL, begun_at = CASE WHEN is_repeat THEN now() END
  WHERE ctid = ANY ($1::tid[]) RETURNING 1
)
SELECT pg_notify('${channel}', '') WHERE EXISTS (SELECT 1 FROM back)`

/** Leases by the database's clock on a table's entries: they end when their worker dies. */
export const leasesOf = <Entry>(table: LeaseTable) => {
  const lease = leaseStatement(table)
  const back = giveBackStatement(table)
  return {
    /**
     * Leases in rounds: what those with little leave of their shares goes to those with more. Oldest first within an
     * owner, one owner after the other, beginning after the owner `cursor`. To be run in a transaction.
     */
    take: Effect.fnUntraced(function* (sql: SqlClient.SqlClient, request: LeaseRequest, cursor: string) {
      const leases: Array<Entry & LeaseRow> = []
      let perOwner = request.perOwner
      let mayBeMore = true
      while (mayBeMore && leases.length < request.limit && perOwner > 0) {
        const round = yield* sql.unsafe<Shared<Entry>>(lease, [
          cursor,
          [...request.saturated],
          perOwner,
          request.limit - leases.length,
          request.worker,
          Duration.toSeconds(request.lease),
          [...request.except]
        ])
        leases.push(...round)
        // Whoever gave a whole share may have more; whoever gave less has nothing left.
        mayBeMore = round.some(({ place, share }) => place === share)
        perOwner -= round[0]?.share ?? 0
      }
      return leases
    }),
    /** Gives back what this transaction leased: to all others it has been ready all the time, at the same place. */
    giveBack: (sql: SqlClient.SqlClient, entries: ReadonlyArray<LeaseRow>) =>
      entries.length === 0
        ? Effect.void
        : Effect.asVoid(sql.unsafe(back, [entries.map(({ place_in_table }) => place_in_table)])),
    lock: lockHeld(table),
    queue: leasedQueue(table)
  }
}
