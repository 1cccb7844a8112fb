import { SqlClient } from "@effect/sql"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { ProviderEvent } from "@switchboard/services/providers/ProviderEvent"
import {
  ProviderEventQueue,
  type SettledEvent,
  type StoredEvent,
  type TakenEvent
} from "@switchboard/services/providers/ProviderEventQueue"
import { Array, Effect, Either, Layer, Schema } from "effect"
import { type LeaseRow, leaseHistory } from "../queues/LeaseEntries.js"
import { NotificationsLive, queueTables } from "../queues/QueueTables.js"
import { type Hold, workQueueSql } from "../queues/WorkQueueSql.js"

const decode = Schema.decodeUnknownSync(
  Schema.Struct({
    organizationId: OrganizationId,
    id: Schema.String,
    event: ProviderEvent,
    receivedAt: Schema.DateTimeUtcFromDate
  })
)

/** The columns of `provider_events AS e` that `eventFromRow` decodes. */
export const providerEventColumns = `e.organization_id AS "organizationId", e.id, e.event, e.received_at AS "receivedAt"`

/** Decodes a row with `providerEventColumns`. */
export const eventFromRow = (row: object): StoredEvent => decode(row)

/** SQL: one primary key lookup per key in the JSON array `$1`, with any query plan. */
const rowsOf = (columns: string, lock = "") => /* sql */ `
SELECT e.* FROM (SELECT * FROM json_to_recordset($1::json) AS g(organization_id uuid, id uuid)
    ORDER BY organization_id, id) AS t
  CROSS JOIN LATERAL (
    SELECT ${columns} FROM provider_events AS e WHERE e.organization_id = t.organization_id AND e.id = t.id
    LIMIT 1 ${lock}
  ) AS e`

const readStatement = rowsOf(providerEventColumns)

const deleteStatement = /* sql */ `
DELETE FROM provider_events
WHERE ctid = ANY (ARRAY(SELECT place_in_table FROM (${rowsOf("e.ctid AS place_in_table", "FOR UPDATE")}) AS locked))`

/** Reads the events of leased entries. */
const takeEvents = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, leases: ReadonlyArray<LeaseRow>) {
  const keys = leases.map(({ id, organization_id }) => ({ organization_id, id }))
  const rows = yield* sql.unsafe(readStatement, [JSON.stringify(keys)])
  const events = new Map(rows.map(eventFromRow).map((event) => [event.id, event]))
  const [gone, items] = Array.partitionMap(leases, (entry): Either.Either<TakenEvent, LeaseRow> => {
    const event = events.get(entry.id)
    return event === undefined ? Either.left(entry) : Either.right({ ...event, ...leaseHistory(entry) })
  })
  return { items, gone }
})

/** Deletes processed events that the worker still holds. Requires a transaction. */
const settleEvents = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  settled: ReadonlyArray<SettledEvent>,
  hold: Hold
) {
  const held = yield* hold(settled.map(({ event }) => event))
  const own = settled.filter(({ event }) => held.has(event.id))
  const done = own.flatMap(({ event: { id, organizationId }, processed }) =>
    processed._tag === "Done" ? [{ organization_id: organizationId, id }] : []
  )
  if (done.length > 0) yield* sql.unsafe(deleteStatement, [JSON.stringify(done)])
  return own.map(({ event: { id, organizationId }, processed }) => ({
    organizationId,
    id,
    retryAt: processed._tag === "Later" ? processed.at : null
  }))
})

/** The queue of events of providers. Entries have the ids of events. */
export const ProviderEventQueueSql = Layer.effect(
  ProviderEventQueue,
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    workQueueSql(queueTables.provider_event, {
      read: (leases: ReadonlyArray<LeaseRow>) => takeEvents(sql, leases),
      settle: (settled: ReadonlyArray<SettledEvent>, hold) => settleEvents(sql, settled, hold)
    })
  )
).pipe(Layer.provide(NotificationsLive))
