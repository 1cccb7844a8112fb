import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { statusAfter } from "@switchboard/domain/analytics/Rollup"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { RollupRepo } from "@switchboard/services/analytics/RollupRepo"
import { DateTime, Effect, Layer, Number } from "effect"
import { inBatches } from "../database/Batches.js"
import { separateConnections } from "../database/Database.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"
import { lockPositions, numberNewEvents } from "../events/NumberEvents.js"
import { type FoldedEventRow, foldedEventFromRow, foldedEvents } from "./FoldedEvents.js"
import { rollupWriter } from "./RollupTable.js"
import {
  domainRollupTable,
  messageRollupTable,
  participantRollupTable,
  placeRollupTable,
  senderRollupTable,
  totalRollupTable
} from "./RollupTables.js"

/** The rollups that a rebuild replaces. */
const rebuildable = [
  rollupWriter(messageRollupTable),
  rollupWriter(senderRollupTable),
  rollupWriter(totalRollupTable),
  rollupWriter(participantRollupTable)
]

/** All rollups. */
const rollups = [...rebuildable, rollupWriter(placeRollupTable), rollupWriter(domainRollupTable)]

const types: ReadonlyArray<EventType> = [...new Set(rollups.flatMap((rollup) => rollup.types))]

/** Organizations that one transaction folds events of. */
const maxOrganizations = 100

/** Batches of an organization that one transaction folds. */
const maxBatches = 100

/** Events of all organizations that one transaction folds, besides those of the last batch. */
const maxEvents = 5_000

/** SQL: the key of the lock of an organization's rollups. */
const lockKey = (organization: string) => `hashtextextended('rollups of ' || ${organization}, 0)`

/** Locks organizations with new events, except ones that another process has locked. */
const lockStatement = /* sql */ `
SELECT organization_id FROM (
  SELECT organization_id FROM event_positions WHERE folded < last LIMIT ${maxOrganizations}
) AS p WHERE pg_try_advisory_xact_lock(${lockKey("organization_id")})`

/** Batches of an organization with positions above `after`, up to `until`. */
interface Batches {
  readonly organization_id: OrganizationId
  readonly after: string
  readonly until: string
}

/** The parameter $1 of the following statements. */
const batchColumns = "json_to_recordset($1::json) AS o(organization_id uuid, after bigint, until bigint)"

const batchesOf = `
    SELECT organization_id, position, events FROM event_batches
    WHERE organization_id = o.organization_id AND position > o.after AND position <= o.until ORDER BY position`

/** The first batches of each organization, in turn, up to the limits, with their number. */
const limitStatement = /* sql */ `
SELECT organization_id, min(after)::text AS after, max(position)::text AS until, count(*)::int AS batches FROM (
  SELECT b.organization_id, o.after, b.position,
    sum(b.events) OVER (ORDER BY b.turn, b.organization_id) - b.events AS events_before
  FROM ${batchColumns} CROSS JOIN LATERAL (
    SELECT organization_id, position, cardinality(events) AS events, row_number() OVER (ORDER BY position) AS turn
    FROM (${batchesOf} LIMIT ${maxBatches}) AS first
  ) AS b
) AS b WHERE events_before < ${maxEvents} GROUP BY organization_id`

const eventsStatement = foldedEvents(
  /* sql */ `${batchColumns} CROSS JOIN LATERAL (${batchesOf}) AS b CROSS JOIN LATERAL unnest(b.events) AS u(id)
  CROSS JOIN LATERAL (
    SELECT * FROM events WHERE organization_id = b.organization_id AND id = u.id AND type = ANY ($2) LIMIT 1
  ) AS e`,
  "b.position",
  "true"
)

const advanceStatement = /* sql */ `
UPDATE event_positions AS p SET folded = o.until FROM ${batchColumns} WHERE p.organization_id = o.organization_id`

/** The first of these batches, up to the limits, with their number and their events. */
const readBatches = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, batches: ReadonlyArray<Batches>) {
  const taken = yield* sql.unsafe<Batches & { readonly batches: number }>(limitStatement, [JSON.stringify(batches)])
  const rows =
    taken.length === 0 ? [] : yield* sql.unsafe<FoldedEventRow>(eventsStatement, [JSON.stringify(taken), types])
  return { taken, events: rows.map(foldedEventFromRow) }
})

/**
 * Folds events of organizations in the order of their positions, and advances the position of each in the transaction
 * of its figures: an event is folded once. Returns the number of batches.
 */
const foldNew = (sql: SqlClient.SqlClient) =>
  Effect.gen(function* () {
    const locked = yield* sql.unsafe<{ readonly organization_id: OrganizationId }>(lockStatement)
    if (locked.length === 0) return 0
    // A separate statement: its snapshot includes positions that were committed before the lock was acquired.
    const positions = yield* sql<Batches>`SELECT organization_id, folded AS after, last AS until FROM event_positions
      WHERE organization_id = ANY (${locked.map(({ organization_id }) => organization_id)}::uuid[])`
    const { events, taken } = yield* readBatches(sql, positions)
    yield* Effect.forEach(rollups, ({ add }) => add(sql, events))
    yield* lockPositions(
      sql,
      taken.map(({ organization_id }) => organization_id)
    )
    yield* sql.unsafe(advanceStatement, [JSON.stringify(taken)])
    return Number.sumAll(taken.map(({ batches }) => batches))
  }).pipe(sql.withTransaction, retryConflicts)

/** A transaction may commit this long after it created its ids. */
const maxCommitDelay = "10 minutes"

/** Events with the status before. Releases before 0.3.0 did not store it. */
const changeTypes = Object.keys(statusAfter).filter((type) => type !== "message.scheduled")

/**
 * The time of the last batch of $1 that lacks an event, the status before one, or the facts of a deleted message, or that
 * follows a deleted batch.
 */
const incompleteStatement = /* sql */ `
SELECT time_of_uuid_v7(events[cardinality(events)]) AS at FROM (
  SELECT *, lag(position, 1, 0::bigint) OVER (ORDER BY position) AS before FROM event_batches WHERE organization_id = $1
) AS b
WHERE position <> before + 1 OR EXISTS (
  SELECT FROM unnest(events) AS u(id)
  WHERE NOT EXISTS (
    SELECT FROM events AS e WHERE e.organization_id = $1 AND e.id = u.id
      AND (type <> ALL ($2) OR data -> 'before' IS NOT NULL)
      AND (type <> 'message.deleted' OR NOT EXISTS (
        SELECT FROM deleted_messages WHERE organization_id = $1 AND id = e.subject_id AND from_participant_id IS NULL
      ))
  )
)
ORDER BY position DESC LIMIT 1`

const beginning = DateTime.unsafeMake(0)

/** Folds all events again that were folded already. Requires a transaction. */
const rebuildFrom = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, organization: OrganizationId) {
  yield* sql.unsafe(`SELECT pg_advisory_xact_lock(${lockKey("$1")})`, [organization])
  const [incomplete] = yield* sql.unsafe<{ readonly at: Date }>(incompleteStatement, [organization, changeTypes])
  const from =
    incomplete === undefined ? beginning : DateTime.addDuration(DateTime.unsafeFromDate(incomplete.at), maxCommitDelay)
  const rebuilt = rebuildable.flatMap((rollup) => {
    const start = rollup.startAfter(from)
    return start === null ? [] : [{ rollup, start }]
  })
  yield* Effect.forEach(rebuilt, ({ rollup, start }) => rollup.clear(sql, organization, start))
  let [rest] = yield* sql<Batches>`SELECT organization_id, 0::bigint AS after, folded AS until FROM event_positions
    WHERE organization_id = ${organization}`
  while (rest !== undefined) {
    const { events, taken } = yield* readBatches(sql, [rest])
    yield* Effect.forEach(rebuilt, ({ rollup, start }) => rollup.add(sql, events, start))
    const after = taken[0]?.until
    rest = after === undefined ? undefined : { ...rest, after }
  }
  return from
})

export const RollupRepoSql = Layer.effect(
  RollupRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const database = yield* PgClient.PgClient

    return {
      project: numberNewEvents(sql).pipe(Effect.zipRight(inBatches(foldNew(sql), 1)), orUnavailable),
      /** Without the pool's timeouts: one transaction reads all events of the organization. */
      rebuild: (organization) =>
        Effect.flatMap(SqlClient.SqlClient, (own) =>
          rebuildFrom(own, organization).pipe(own.withTransaction, retryConflicts)
        ).pipe(
          Effect.provide(separateConnections(1)),
          Effect.provideService(PgClient.PgClient, database),
          orUnavailable
        )
    }
  })
)
