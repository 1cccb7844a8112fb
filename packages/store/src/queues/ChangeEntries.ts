import type { SqlClient } from "@effect/sql"
import type { EntryKey, Leases } from "@switchboard/services/queues/WorkQueue"
import { DateTime, Duration, Effect } from "effect"
import { prepared } from "../database/Prepared.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import type { LeaseRow } from "./LeaseInTurns.js"
import { notify, type QueueTable } from "./QueueTables.js"

/** How an entry goes on: `retryAt` null means that it needs no more work. */
export interface SettledEntry extends EntryKey {
  readonly retryAt: DateTime.Utc | null
}

/** Entries that one statement recovers or promotes. */
export const maxMoved = 500

/**
 * The entries of these keys under lock, found one after the other in the order of the primary key: no two transactions
 * wait for each other. The range and its order are those of that index alone: a plan made from the statistics of an
 * empty table reads no other index, and so not all entries of an organization.
 */
const lockEntries = ({ name }: QueueTable, condition = "true") => /* sql */ `
SELECT k.organization_id, k.id, k.retry_at, e.place_in_table
FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid, retry_at timestamptz)
    ORDER BY organization_id, id) AS k
  CROSS JOIN LATERAL (
    SELECT q.ctid AS place_in_table FROM ${name}_queue AS q
    WHERE q.organization_id = k.organization_id AND q.id BETWEEN k.id AND k.id AND ${condition}
    ORDER BY q.organization_id, q.id LIMIT 1 FOR UPDATE
  ) AS e`

const ofWorker = "q.worker = $2"

const changeEntries = (table: QueueTable, condition: string, changes: string) => /* sql */ `
UPDATE ${table.name}_queue AS q SET ${changes}
WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM (${lockEntries(table, condition)}) AS locked)) RETURNING q.id`

const notifying = (table: QueueTable, statement: string) => /* sql */ `
WITH changed AS (${statement}) SELECT ${notify(table)} WHERE EXISTS (SELECT 1 FROM changed)`

/** A lease that ran out, and that no other worker took, is held again: its worker was not lost. */
const heldAgain = "takeovers = q.takeovers - (q.lease_until IS NULL AND q.begun_at IS NOT NULL)::int"

/** The lease is extended only where it has to be: an index holds it, and without a change of it the row stays in its page. */
const beginChanges = `begun_at = now(), ${heldAgain}, lease_until = CASE
  WHEN q.lease_until > now() + make_interval(secs => $3::float8 / 2) THEN q.lease_until
  ELSE now() + make_interval(secs => $3::float8) END`
const renewChanges = `${heldAgain}, lease_until = now() + make_interval(secs => $3::float8)`

/** An entry whose attempt was lost goes behind the others of its owner: what ends its worker is not the next to be tried. */
const recoverStatement = (table: QueueTable) => /* sql */ `
WITH lost AS (
  UPDATE ${table.name}_queue AS q SET lease_until = NULL, takeovers = q.takeovers + (q.begun_at IS NOT NULL)::int,
    ready_at = CASE WHEN q.begun_at IS NULL THEN q.ready_at ELSE now() END
  WHERE q.ctid = ANY (ARRAY(SELECT ctid FROM ${table.name}_queue WHERE lease_until < now() ORDER BY lease_until
    LIMIT ${maxMoved} FOR UPDATE SKIP LOCKED)) RETURNING 1
)
SELECT (SELECT count(*)::int FROM lost) AS count,
  CASE WHEN EXISTS (SELECT 1 FROM lost) THEN ${notify(table)} END AS notified`

/** The key and the columns of an entry, in both tables. */
const columnsOf = ({ columns }: QueueTable) => ["organization_id", "id", ...columns].join(", ")

const promoteStatement = (table: QueueTable) => /* sql */ `
WITH due AS (
  DELETE FROM ${table.name}_waiting WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table.name}_waiting WHERE due_at <= now() ORDER BY due_at LIMIT ${maxMoved} FOR UPDATE SKIP LOCKED
  )) RETURNING *
), ready AS (
  INSERT INTO ${table.name}_queue (${columnsOf(table)}, ready_at)
  SELECT ${columnsOf(table)}, now() FROM due RETURNING *
), notified AS (
  SELECT ${notify(table)} WHERE EXISTS (SELECT 1 FROM ready)
)
SELECT ready.*, ready.${table.owner} AS owner, (SELECT count(*) FROM notified) AS notified FROM ready`

/**
 * Done entries leave, those with a time to come wait apart, and those to be tried at once are ready again: the counts of
 * leases start anew. By `clock_timestamp()`: a time set in this transaction is later than its `now()`.
 */
const finishStatement = (table: QueueTable) => /* sql */ `
WITH done AS MATERIALIZED (${lockEntries(table)}
), gone AS (
  DELETE FROM ${table.name}_queue
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM done WHERE retry_at IS NULL OR retry_at > clock_timestamp())) RETURNING *
), waiting AS (
  INSERT INTO ${table.name}_waiting (${columnsOf(table)}, due_at)
  SELECT ${["organization_id", "id", ...table.columns].map((column) => `g.${column}`).join(", ")}, d.retry_at
  FROM gone AS g JOIN done AS d USING (organization_id, id) WHERE d.retry_at IS NOT NULL
), again AS (
  UPDATE ${table.name}_queue SET worker = NULL, takeovers = 0, begun_at = NULL, lease_until = NULL
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM done WHERE retry_at <= clock_timestamp())) RETURNING 1
)
SELECT ${notify(table)} WHERE EXISTS (SELECT 1 FROM again)`

const keysOf = (entries: ReadonlyArray<EntryKey>) =>
  JSON.stringify(entries.map(({ id, organizationId }) => ({ organization_id: organizationId, id })))

/** The statements on entries of a queue that are found by their keys. */
export const entriesOf = <Lease extends LeaseRow>(table: QueueTable, sql: SqlClient.SqlClient) => {
  const unlessEmpty = (entries: ReadonlyArray<unknown>, statement: string, parameter: string) =>
    entries.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(statement, [parameter]))
  const giveBack = notifying(
    table,
    changeEntries(table, "true", "worker = NULL, lease_until = NULL, begun_at = CASE WHEN is_repeat THEN now() END")
  )
  const drop = notifying(
    table,
    `DELETE FROM ${table.name}_queue WHERE ctid = ANY (ARRAY(
    SELECT place_in_table FROM (${lockEntries(table)}) AS locked)) RETURNING 1`
  )
  const hold = lockEntries(table, ofWorker)
  const finish = finishStatement(table)
  const promote = promoteStatement(table)
  return {
    /** Locks those of these entries that no other worker has leased since: their ids. */
    hold: (worker: string, entries: ReadonlyArray<EntryKey>) =>
      Effect.map(
        sql.unsafe<{ readonly id: string }>(hold, [keysOf(entries), worker]),
        (rows): ReadonlySet<string> => new Set(rows.map(({ id }) => id))
      ),
    /** Gives back what this transaction leased: for other transactions it was ready all the time, at the same place. */
    giveBack: (entries: ReadonlyArray<EntryKey>) => unlessEmpty(entries, giveBack, keysOf(entries)),
    /** Deletes entries without work. A take that found fewer for it than it asked for is repeated. */
    drop: (entries: ReadonlyArray<EntryKey>) => unlessEmpty(entries, drop, keysOf(entries)),
    /** Settles entries that this transaction holds. */
    finish: (entries: ReadonlyArray<SettledEntry>) =>
      unlessEmpty(
        entries,
        finish,
        JSON.stringify(
          entries.map(({ id, organizationId, retryAt }) => ({
            organization_id: organizationId,
            id,
            retry_at: retryAt === null ? null : DateTime.formatIso(retryAt)
          }))
        )
      ),
    /** Makes a batch of entries ready whose time has come: their rows. */
    promote: sql.unsafe<Lease>(promote)
  }
}

/** The changes of leases, each a transaction. */
export const leasesOf = (table: QueueTable, sql: SqlClient.SqlClient) => {
  const beginning = prepared(`begin_${table.name}`, changeEntries(table, ofWorker, beginChanges))
  const renewal = changeEntries(table, ofWorker, renewChanges)
  const release = notifying(table, changeEntries(table, ofWorker, "lease_until = NULL"))
  const forgive = changeEntries(table, "q.takeovers > 0", "takeovers = q.takeovers - 1")

  /** Changes entries that the worker holds; the ids of those. */
  const changeHeld =
    (statement: string): Leases["renew"] =>
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

  const change = (statement: string, parameters: ReadonlyArray<string>) =>
    sql.unsafe(statement, parameters).pipe(Effect.asVoid, retryConflicts, orUnavailable)

  return {
    begin: changeHeld(beginning),
    renew: changeHeld(renewal),
    release: (worker: string, entries: ReadonlyArray<EntryKey>) => change(release, [keysOf(entries), worker]),
    forgive: (entries: ReadonlyArray<EntryKey>) => change(forgive, [keysOf(entries)]),
    /** Makes a batch of lost entries ready; how many that was. */
    recover: sql.unsafe<{ readonly count: number }>(recoverStatement(table)).pipe(
      Effect.map(([row]) => row?.count ?? 0),
      retryConflicts,
      orUnavailable
    )
  }
}
