import type { SqlClient } from "@effect/sql"
import type { EntryKey, Leases } from "@switchboard/services/queues/WorkQueue"
import { DateTime, Duration, Effect, Predicate } from "effect"
import { prepared } from "../database/Prepared.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import type { LeaseRow } from "./LeaseEntries.js"
import { type FoundEntry, type LowWaterMarks, ResumedScan, reachedBy, resumedAt } from "./LowWaterMarks.js"
import { laneOf, notify, type QueueTable, returned, toMicros } from "./QueueTables.js"

/** The next step of an entry: `retryAt` null means that it needs no more work. */
export interface SettledEntry extends EntryKey {
  readonly retryAt: DateTime.Utc | null
}

/** Entries that one statement recovers or promotes. */
export const maxMoved = 500

/**
 * Locks entries one by one in the order of the primary key, so that concurrent transactions do not deadlock. The range
 * condition and the order match only the primary key's index: a plan made with the statistics of an empty table uses no
 * other index, which could scan all entries of an organization.
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

const ofWorker = "q.worker = $2::text"

const changeEntries = (table: QueueTable, condition: string, changes: string) => /* sql */ `
UPDATE ${table.name}_queue AS q SET ${changes}
WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM (${lockEntries(table, condition)}) AS locked))
RETURNING q.id, ${returnedColumns(table)}`

const notifying = (table: QueueTable, statement: string) => /* sql */ `
WITH changed AS (${statement}) SELECT ${notify(table)} WHERE EXISTS (SELECT 1 FROM changed)`

/** The columns of ready entries `q` for `selectReturned`. */
const returnedColumns = (table: QueueTable) => `q.${table.owner} AS owner, ${laneOf(table)} AS lane, q.ready_at`

/** Selects entries that became ready again, as `FoundEntry`, and notifies the workers. */
const selectReturned = (table: QueueTable, entries: string, payload: "" | typeof returned = returned) => /* sql */ `
SELECT owner, lane, ${toMicros("min(ready_at)")} AS "readyAt", (SELECT ${notify(table, payload)}) AS notified
FROM ${entries} GROUP BY owner, lane`

/** The worker of an expired lease holds it again if no other worker took it: the lease was not lost. */
const undoRecovery = "lease_expiries = q.lease_expiries - (q.lease_until IS NULL AND q.begun_at IS NOT NULL)::int"

/**
 * Extends a lease only when less than half remains: an index contains lease_until, and an update that leaves it
 * unchanged stays within the page (HOT).
 */
const beginChanges = `begun_at = now(), ${undoRecovery}, lease_until = CASE
  WHEN q.lease_until > now() + make_interval(secs => $3::float8 / 2) THEN q.lease_until
  ELSE now() + make_interval(secs => $3::float8) END`
const renewChanges = `${undoRecovery}, lease_until = now() + make_interval(secs => $3::float8)`

/**
 * An entry with a lost attempt goes behind the other entries of its owner, so that an entry that crashes its worker is
 * not retried first.
 */
const recoverStatement = (table: QueueTable) => /* sql */ `
WITH expired AS MATERIALIZED (
  SELECT ctid AS place_in_table, lease_until FROM ${table.name}_queue
  WHERE lease_until < now() AND ${resumedAt("lease_until", "$1")}
  ORDER BY lease_until LIMIT ${maxMoved} FOR UPDATE SKIP LOCKED
), lost AS (
  UPDATE ${table.name}_queue AS q SET lease_until = NULL, lease_expiries = q.lease_expiries + (q.begun_at IS NOT NULL)::int,
    ready_at = CASE WHEN q.begun_at IS NULL THEN q.ready_at ELSE now() END
  WHERE q.ctid = ANY (ARRAY(SELECT place_in_table FROM expired)) RETURNING ${returnedColumns(table)}
), ready AS (${selectReturned(table, "lost")}
)
SELECT (SELECT count(*)::int FROM lost) AS count, ${reachedBy("expired", "lease_until", "now()", maxMoved)} AS reached,
  ready.* FROM (SELECT) AS one LEFT JOIN ready ON true`

/** The key and the columns of an entry, in both tables. */
const columnsOf = ({ columns }: QueueTable) => ["organization_id", "id", ...columns].join(", ")

const promoteStatement = (table: QueueTable) => /* sql */ `
WITH due AS (
  DELETE FROM ${table.name}_waiting WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table.name}_waiting WHERE due_at <= now() AND ${resumedAt("due_at", "$1")}
    ORDER BY due_at LIMIT ${maxMoved} FOR UPDATE SKIP LOCKED
  )) RETURNING *
), ready AS (
  INSERT INTO ${table.name}_queue (${columnsOf(table)}, ready_at)
  SELECT ${columnsOf(table)}, now() FROM due RETURNING *
), notified AS (
  SELECT ${notify(table)} WHERE EXISTS (SELECT 1 FROM ready)
)
SELECT ready.*, ready.${table.owner} AS owner, (SELECT count(*) FROM notified) AS notified,
  ${reachedBy("due", "due_at", "now()", maxMoved)} AS reached,
  (SELECT (extract(epoch FROM due_at - now()) * 1000)::float8 FROM ${table.name}_waiting
    WHERE due_at > now() ORDER BY due_at LIMIT 1) AS due_in
FROM (SELECT) AS one LEFT JOIN ready ON true`

/**
 * Deletes done entries, moves those with a later retry to the waiting table, and makes those with an immediate retry
 * ready; their lease counts are reset. Uses `clock_timestamp()`, since a time set in this transaction is later than its
 * `now()`.
 */
const finishStatement = (table: QueueTable) => /* sql */ `
WITH done AS MATERIALIZED (${lockEntries(table)}
), deleted AS (
  DELETE FROM ${table.name}_queue
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM done WHERE retry_at IS NULL OR retry_at > clock_timestamp())) RETURNING *
), waiting AS (
  INSERT INTO ${table.name}_waiting (${columnsOf(table)}, due_at)
  SELECT ${["organization_id", "id", ...table.columns].map((column) => `g.${column}`).join(", ")}, d.retry_at
  FROM deleted AS g JOIN done AS d USING (organization_id, id) WHERE d.retry_at IS NOT NULL
), requeued AS (
  UPDATE ${table.name}_queue AS q SET worker = NULL, lease_expiries = 0, begun_at = NULL, lease_until = NULL
  WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM done WHERE retry_at <= clock_timestamp()))
  RETURNING ${returnedColumns(table)}
)
${selectReturned(table, "requeued")}`

const keysOf = (entries: ReadonlyArray<EntryKey>) =>
  JSON.stringify(entries.map(({ id, organizationId }) => ({ organization_id: organizationId, id })))

type PromotedRow<Lease> = (Lease | { readonly id: null }) & {
  readonly reached: number
  /** In milliseconds. */
  readonly due_in: number | null
}

/** Statements on the entries of a queue by key. */
export const entriesOf = <Lease extends LeaseRow>(
  table: QueueTable,
  sql: SqlClient.SqlClient,
  marks: LowWaterMarks
) => {
  const undoLease = /* sql */ `WITH changed AS (${changeEntries(
    table,
    "true",
    "worker = NULL, lease_until = NULL, begun_at = CASE WHEN is_repeat THEN now() END"
  )}) ${selectReturned(table, "changed", "")}`
  const drop = notifying(
    table,
    `DELETE FROM ${table.name}_queue WHERE ctid = ANY (ARRAY(
    SELECT place_in_table FROM (${lockEntries(table)}) AS locked)) RETURNING 1`
  )
  const hold = prepared(`hold_${table.name}`, lockEntries(table, ofWorker))
  const finish = prepared(`finish_${table.name}`, finishStatement(table))
  const promote = prepared(`promote_${table.name}`, promoteStatement(table))

  const returning = (entries: ReadonlyArray<unknown>, statement: string, parameter: string) =>
    entries.length === 0
      ? Effect.void
      : Effect.map(sql.unsafe<FoundEntry>(statement, [parameter]), (rows) => marks.returned(rows))

  return {
    /** Locks the entries that no other worker has leased since, and returns their ids. */
    hold: (worker: string, entries: ReadonlyArray<EntryKey>) =>
      Effect.map(
        sql.unsafe<{ readonly id: string }>(hold, [keysOf(entries), worker]),
        (rows): ReadonlySet<string> => new Set(rows.map(({ id }) => id))
      ),
    /** Reverts leases of this transaction: other transactions never see them, and entries keep their place. */
    undoLease: (entries: ReadonlyArray<EntryKey>) => returning(entries, undoLease, keysOf(entries)),
    /**
     * Deletes entries without work. Notifies workers, since a lease that found less work than requested is repeated.
     */
    drop: (entries: ReadonlyArray<EntryKey>) =>
      entries.length === 0 ? Effect.void : Effect.asVoid(sql.unsafe(drop, [keysOf(entries)])),
    /** Settles entries that this transaction holds. */
    finish: (entries: ReadonlyArray<SettledEntry>) =>
      returning(
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
    /**
     * Moves a batch of due entries to the queue. Returns their rows, the time up to which there are no more, and the
     * time until the next entry is due.
     */
    promote: (from: number) =>
      Effect.map(sql.unsafe<PromotedRow<Lease>>(promote, [from]), (rows) => ({
        entries: rows.filter((row): row is PromotedRow<Lease> & Lease => row.id !== null),
        reached: rows[0]?.reached ?? from,
        dueIn: Predicate.isNumber(rows[0]?.due_in) ? Duration.millis(rows[0].due_in) : null
      }))
  }
}

type Recovered = (FoundEntry | { readonly owner: null }) & { readonly count: number; readonly reached: number }

/** Operations on leases, each in its own transaction. */
export const leasesOf = (table: QueueTable, sql: SqlClient.SqlClient, marks: LowWaterMarks) => {
  const beginning = prepared(`begin_${table.name}`, changeEntries(table, ofWorker, beginChanges))
  const renewal = changeEntries(table, ofWorker, renewChanges)
  const release = /* sql */ `WITH changed AS (${changeEntries(table, ofWorker, "lease_until = NULL")}
)${selectReturned(table, "changed")}`
  const forgive = changeEntries(table, "q.lease_expiries > 0", "lease_expiries = q.lease_expiries - 1")

  /** Changes entries that the worker holds, and returns their ids. */
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
          // A concurrent update of a row can make it miss in the snapshot: missing entries are tried once more.
          const missing = entries.filter(({ id }) => !held.has(id))
          return missing.length === 0
            ? Effect.succeed(held)
            : Effect.map(change(missing), (found) => new Set([...held, ...found]))
        }),
        orUnavailable
      )
    }

  const recover = recoverStatement(table)
  const expired = new ResumedScan()

  return {
    begin: changeHeld(beginning),
    renew: changeHeld(renewal),
    release: (worker: string, entries: ReadonlyArray<EntryKey>) =>
      sql.unsafe<FoundEntry>(release, [keysOf(entries), worker]).pipe(
        Effect.map((rows) => marks.returned(rows)),
        retryConflicts,
        orUnavailable
      ),
    forgive: (entries: ReadonlyArray<EntryKey>) =>
      sql.unsafe(forgive, [keysOf(entries)]).pipe(Effect.asVoid, retryConflicts, orUnavailable),
    /** Makes a batch of entries with expired leases ready, and returns their number. */
    recover: expired
      .run((from) =>
        sql.unsafe<Recovered>(recover, [from]).pipe(
          Effect.map((rows) => {
            const [row] = rows
            const ready = rows.filter((one): one is Recovered & FoundEntry => one.owner !== null)
            return { count: row?.count ?? 0, reached: row?.reached ?? from, ready }
          }),
          retryConflicts
        )
      )
      .pipe(
        Effect.map(({ count, ready }) => {
          marks.returned(ready)
          return count
        }),
        orUnavailable
      )
  }
}
