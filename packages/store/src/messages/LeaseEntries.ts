import type { SqlClient } from "@effect/sql"
import type { MessageId } from "@switchboard/domain/messages/Message"
import { longestWait } from "@switchboard/domain/messages/MessageLifecycle"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { TakeRequest } from "@switchboard/services/messages/DeliveryQueue"
import { Duration, Effect } from "effect"
import { queueChannel } from "./InsertMessages.js"

/** Organizations that one take looks at: the next take goes on after the last of them. */
const organizationsAtOnce = 200

/**
 * Leases what is ready, an entry of each organization, then the next of each…: the organizations are found by skipping
 * through the index from one to the next, so that how much waits does not matter. `$1` is where the last take ended.
 * Each organization gives an equal share at most, so that hardly more is locked than is leased.
 *
 * The queue fills and empties faster than statistics are taken, and a plan made from those of an emptied queue can
 * compare every entry with every other. So nothing is joined with it: what was locked is found again by where it lies
 * (`ctid`), which nobody can change under the lock.
 */
const leaseReadyStatement = /* sql */ `
WITH RECURSIVE after_cursor AS (
  (SELECT organization_id, 1 AS n FROM message_queue
    WHERE lease_until IS NULL AND organization_id > $1 ORDER BY organization_id, ready_at, id LIMIT 1)
  UNION ALL
  SELECT (SELECT q.organization_id FROM message_queue AS q WHERE q.lease_until IS NULL
    AND q.organization_id > a.organization_id ORDER BY q.organization_id, q.ready_at, q.id LIMIT 1), a.n + 1
  FROM after_cursor AS a WHERE a.organization_id IS NOT NULL AND a.n <= ${organizationsAtOnce}
), before_cursor AS (
  (SELECT organization_id, 1 AS n FROM message_queue
    WHERE lease_until IS NULL AND organization_id <= $1 ORDER BY organization_id, ready_at, id LIMIT 1)
  UNION ALL
  SELECT (SELECT q.organization_id FROM message_queue AS q WHERE q.lease_until IS NULL
    AND q.organization_id > b.organization_id AND q.organization_id <= $1
    ORDER BY q.organization_id, q.ready_at, q.id LIMIT 1), b.n + 1
  FROM before_cursor AS b WHERE b.organization_id IS NOT NULL AND b.n <= ${organizationsAtOnce}
), owners AS MATERIALIZED (
  SELECT o.organization_id, row_number() OVER () AS turn FROM (
    (SELECT organization_id FROM after_cursor WHERE organization_id IS NOT NULL ORDER BY n)
    UNION ALL
    (SELECT organization_id FROM before_cursor WHERE organization_id IS NOT NULL ORDER BY n)
  ) AS o WHERE o.organization_id <> ALL ($2::uuid[]) LIMIT ${organizationsAtOnce}
), share AS MATERIALIZED (
  SELECT least($3::int, ceil($4::numeric / greatest(count(*), 1))::int) AS entries FROM owners
), candidates AS (
  SELECT o.turn, e.place_in_table, row_number() OVER (PARTITION BY o.organization_id ORDER BY e.ready_at, e.id) AS place
  FROM owners AS o CROSS JOIN LATERAL (
    SELECT q.ctid AS place_in_table, q.ready_at, q.id FROM message_queue AS q
    WHERE q.organization_id = o.organization_id AND q.lease_until IS NULL
    ORDER BY q.organization_id, q.ready_at, q.id LIMIT (SELECT entries FROM share) FOR UPDATE SKIP LOCKED
  ) AS e
), chosen AS MATERIALIZED (
  SELECT place_in_table, place, turn FROM candidates ORDER BY place, turn LIMIT $4::int
), leased AS (
  UPDATE message_queue AS q SET worker = $5, lease_until = now() + make_interval(secs => $6)
  WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM chosen))
  RETURNING q.organization_id, q.id, q.message_id, q.takeovers, q.due_since, q.ready_at, q.ctid AS place_in_table
)
SELECT l.organization_id, l.id, l.message_id, l.takeovers, l.due_since, l.place_in_table::text, o.turn,
  row_number() OVER (PARTITION BY l.organization_id ORDER BY l.ready_at, l.id)::int AS place,
  (SELECT entries FROM share) AS share
FROM leased AS l JOIN owners AS o ON o.organization_id = l.organization_id ORDER BY place, o.turn`

/**
 * What has waited longer than a message may, the oldest first, found by an index of its own (M0002). Retries that
 * wait apart need no look: none is put off past the message's end, and then it is promoted.
 */
const leaseExpiredStatement = /* sql */ `
UPDATE message_queue AS q SET worker = $2, lease_until = now() + make_interval(secs => $3)
WHERE q.ctid = ANY (ARRAY(SELECT ctid FROM message_queue WHERE lease_until IS NULL
  AND due_since <= now() - make_interval(secs => $4) ORDER BY due_since LIMIT $1 FOR UPDATE SKIP LOCKED))
RETURNING q.organization_id, q.id, q.message_id, q.takeovers, q.due_since, q.ctid::text AS place_in_table`

/** Whoever looked while they were leased saw nothing: that something is ready is said again. */
const giveBackStatement = /* sql */ `
WITH back AS (
  UPDATE message_queue SET worker = NULL, lease_until = NULL WHERE ctid = ANY ($1::tid[]) RETURNING 1
)
SELECT pg_notify('${queueChannel}', '') WHERE EXISTS (SELECT 1 FROM back)`

/** A queue entry that was leased just now. */
export interface LeaseRow {
  readonly organization_id: OrganizationId
  readonly id: string
  readonly message_id: MessageId
  readonly takeovers: number
  readonly due_since: Date
  /** Where it lies, for as long as this transaction lasts. */
  readonly place_in_table: string
}

interface SharedLeaseRow extends LeaseRow {
  /** 1 for the first of its organization, 2 for the next… */
  readonly place: number
  /** How many an organization could give. */
  readonly share: number
}

/**
 * Leases what is ready, in rounds: what those with little leave of their shares goes to those with more. Oldest first
 * within an organization, one organization after the other, beginning after the organization `cursor`.
 */
const leaseReady = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, request: TakeRequest, cursor: string) {
  const leases: Array<SharedLeaseRow> = []
  let perOrganization = request.perOrganization
  let mayBeMore = true
  while (mayBeMore && leases.length < request.limit && perOrganization > 0) {
    const round = yield* sql.unsafe<SharedLeaseRow>(leaseReadyStatement, [
      cursor,
      [...request.saturated],
      perOrganization,
      request.limit - leases.length,
      request.worker,
      Duration.toSeconds(request.lease)
    ])
    leases.push(...round)
    // Whoever gave a whole share may have more; whoever gave less has nothing left.
    mayBeMore = round.some(({ place, share }) => place === share)
    perOrganization -= round[0]?.share ?? 0
  }
  return leases
})

/** Leases what the request asks for. To be run in a transaction. */
export const leaseEntries = (sql: SqlClient.SqlClient, request: TakeRequest, cursor: string) =>
  request.expiredOnly
    ? sql.unsafe<LeaseRow>(leaseExpiredStatement, [
        request.limit,
        request.worker,
        Duration.toSeconds(request.lease),
        Duration.toSeconds(longestWait)
      ])
    : leaseReady(sql, request, cursor)

/** Gives back what this transaction leased: to all others it has been ready all the time, at the same place. */
export const giveBack = (sql: SqlClient.SqlClient, leases: ReadonlyArray<LeaseRow>) =>
  leases.length === 0
    ? Effect.void
    : Effect.asVoid(sql.unsafe(giveBackStatement, [leases.map(({ place_in_table }) => place_in_table)]))
