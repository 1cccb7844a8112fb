import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import type { EntryKey, LeasedQueue } from "@switchboard/services/queues/LeasedQueue"
import { Duration, Effect, Redacted } from "effect"
import { inBatches } from "../database/InBatches.js"
import { listen } from "../database/Listen.js"
import { prepared } from "../database/Prepared.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import type { LeaseTable } from "./Leases.js"

/** Leases that one statement makes ready again. */
const recoverBatch = 500

/** An entry whose attempt was lost goes behind the others of its owner: what ends its worker is not the next to be tried. */
const recoverStatement = ({ channel, name }: LeaseTable) => /* sql */ `
WITH lost AS (
  UPDATE ${name} AS q SET lease_until = NULL, takeovers = q.takeovers + (q.begun_at IS NOT NULL)::int,
    ready_at = CASE WHEN q.begun_at IS NULL THEN q.ready_at ELSE now() END
  WHERE q.ctid = ANY (ARRAY(SELECT ctid FROM ${name} WHERE lease_until < now() ORDER BY lease_until
    LIMIT ${recoverBatch} FOR UPDATE SKIP LOCKED)) RETURNING 1
)
SELECT (SELECT count(*)::int FROM lost) AS count,
  CASE WHEN EXISTS (SELECT 1 FROM lost) THEN pg_notify('${channel}', '') END AS notified`

/**
 * The entries of these keys under lock, found one after the other by primary key and in its order: no plan made from
 * stale statistics reads the whole table, and no two transactions wait for each other.
 */
const lockEntries = ({ name }: LeaseTable, condition: string) => /* sql */ `
SELECT e.id, e.place_in_table
FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid) ORDER BY organization_id, id) AS k
  CROSS JOIN LATERAL (
    SELECT q.id, q.ctid AS place_in_table FROM ${name} AS q
    WHERE q.organization_id = k.organization_id AND q.id = k.id AND ${condition} FOR UPDATE
  ) AS e`

const ofWorker = "q.worker = $2"

const changeEntries = (table: LeaseTable, condition: string, changes: string) => /* sql */ `
UPDATE ${table.name} AS q SET ${changes}
WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM (${lockEntries(table, condition)}) AS locked)) RETURNING q.id`

/** A lease that ran out, and that no other worker took, is held again: its worker was not lost. */
const heldAgain = "takeovers = q.takeovers - (q.lease_until IS NULL AND q.begun_at IS NOT NULL)::int"

/** The lease is extended only where it has to be: an index holds it, and without a change of it the row stays in its page. */
const beginChanges = `begun_at = now(), ${heldAgain}, lease_until = CASE
  WHEN q.lease_until > now() + make_interval(secs => $3::float8 / 2) THEN q.lease_until
  ELSE now() + make_interval(secs => $3::float8) END`
const renewChanges = `${heldAgain}, lease_until = now() + make_interval(secs => $3::float8)`

const releaseStatement = (table: LeaseTable) => /* sql */ `
WITH released AS (${changeEntries(table, ofWorker, "lease_until = NULL")})
SELECT pg_notify('${table.channel}', '') WHERE EXISTS (SELECT 1 FROM released)`

const keysOf = (entries: ReadonlyArray<EntryKey>) =>
  JSON.stringify(entries.map(({ id, organizationId }) => ({ organization_id: organizationId, id })))

/**
 * Locks those of these entries that no other worker has leased since; where each lies. To be run in the transaction that
 * settles them, as a statement of its own: the next statement finds them as they are under the lock.
 */
export const lockHeld = (table: LeaseTable) => {
  const lock = lockEntries(table, ofWorker)
  return (sql: SqlClient.SqlClient, worker: string, entries: ReadonlyArray<EntryKey>) =>
    Effect.map(
      sql.unsafe<{ readonly id: string; readonly place_in_table: string }>(lock, [keysOf(entries), worker]),
      (rows): ReadonlyMap<string, string> => new Map(rows.map(({ id, place_in_table }) => [id, place_in_table]))
    )
}

/** Changes entries that the worker holds; the ids of those. */
const changeHeld =
  (sql: SqlClient.SqlClient, statement: string): LeasedQueue["renew"] =>
  (worker, entries, lease) => {
    const change = (keys: ReadonlyArray<EntryKey>) =>
      Effect.map(
        sql.unsafe<{ readonly id: string }>(statement, [keysOf(keys), worker, Duration.toSeconds(lease)]),
        (rows) => new Set(rows.map(({ id }) => id))
      ).pipe(retryConflicts)
    return change(entries).pipe(
      Effect.flatMap((held) => {
        // A row that another statement changes at the same moment is passed over: it is looked for once more.
        const missing = entries.filter(({ id }) => !held.has(id))
        return missing.length === 0
          ? Effect.succeed(held)
          : Effect.map(change(missing), (found) => new Set([...held, ...found]))
      }),
      orUnavailable
    )
  }

/** What all queues do alike. */
export const leasedQueue = (table: LeaseTable) => {
  const beginning = prepared(`begin_${table.name}`, changeEntries(table, ofWorker, beginChanges))
  const renewal = changeEntries(table, ofWorker, renewChanges)
  const released = releaseStatement(table)
  const forgiven = changeEntries(table, "q.takeovers > 0", "takeovers = q.takeovers - 1")
  const lost = recoverStatement(table)
  return Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { config } = yield* PgClient.PgClient
    const change = (statement: string, parameters: ReadonlyArray<string>) =>
      sql.unsafe(statement, parameters).pipe(Effect.asVoid, retryConflicts, orUnavailable)
    const recovered = sql.unsafe<{ readonly count: number }>(lost).pipe(
      Effect.map(([row]) => row?.count ?? 0),
      retryConflicts,
      orUnavailable
    )
    const queue: LeasedQueue = {
      begin: changeHeld(sql, beginning),
      renew: changeHeld(sql, renewal),
      release: (worker, entries) => change(released, [keysOf(entries), worker]),
      forgive: (entries) => change(forgiven, [keysOf(entries)]),
      recover: inBatches(recovered, recoverBatch),
      woken: listen(config.url ?? Redacted.make(""), table.channel)
    }
    return queue
  })
}
