import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { Effect } from "effect"
import { countsTable, eventStatements, rollupStatements } from "./GeneratedEvents.js"
import { messageStatements, messagesTable, messageTables } from "./GeneratedMessages.js"
import { generatedKey, organizationStatements, type Shape } from "./GeneratedOrganizations.js"
import { dropSecondaryIndexes } from "./SecondaryIndexes.js"

/** A generated organization and the value of its API key. The first one has 80 % of the messages. */
export interface GeneratedOrganization {
  readonly id: string
  readonly key: string
  readonly keyId: string
  readonly endpointId: string
}

/** Messages that one statement inserts. A multiple of the span of threads. */
const pageSize = 50_000

/** Fills from this size drop the secondary indexes and build them afterwards. */
const minIndexRebuild = 100_000

/** Triggers whose rows are generated. */
const replacedTriggers = [
  { table: "events", name: "events_batches" },
  { table: "events", name: "events_webhooks" }
]

const insertAll = Effect.fnUntraced(function* (shape: Shape) {
  const sql = yield* SqlClient.SqlClient
  const alterTriggers = (change: "DISABLE" | "ENABLE") =>
    sql.unsafe(replacedTriggers.map(({ name, table }) => `ALTER TABLE ${table} ${change} TRIGGER ${name}`).join("; "))

  yield* sql.unsafe(`SET LOCAL synchronous_commit = off; SET LOCAL jit = off; SET LOCAL work_mem = '64MB';
    SET LOCAL temp_buffers = '128MB';
    SET LOCAL maintenance_work_mem = '256MB'; SET LOCAL max_parallel_maintenance_workers = 0`)
  yield* sql.unsafe(organizationStatements(shape))
  yield* sql.unsafe(messagesTable)
  yield* sql.unsafe(countsTable)
  const rebuild = shape.messages < minIndexRebuild ? Effect.void : yield* dropSecondaryIndexes(sql, messageTables)
  yield* alterTriggers("DISABLE")
  for (let first = 1; first <= shape.messages; first += pageSize) {
    const last = Math.min(first + pageSize - 1, shape.messages)
    yield* sql.unsafe(`${messageStatements(shape, first, last)} ${eventStatements(shape)}`)
  }
  yield* alterTriggers("ENABLE")
  yield* rebuild
  yield* sql.unsafe(rollupStatements)
  const rows = yield* sql<Omit<GeneratedOrganization, "key"> & { readonly place: number }>`
    SELECT place, id, key_id AS "keyId", endpoint_id AS "endpointId" FROM generated_organizations ORDER BY place`
  yield* sql`DROP TABLE generated_organizations, generated_messages`
  return rows.map(({ place, ...organization }) => ({ ...organization, key: generatedKey(place) }))
})

/**
 * Fills a migrated database with organizations, and with messages of the year before `until` and everything about them.
 * The same options give the same rows. Kept counts have the values that the service would have written. Uses its own
 * connection, without the timeouts of the pool.
 */
export const fillDatabase = ({
  organizations = 10,
  until,
  without = [],
  messages
}: Partial<Shape> & Pick<Shape, "messages">) =>
  Effect.flatMap(PgClient.PgClient, ({ config }) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const shape = { messages, organizations, until: until ?? new Date(), without }
      const filled = yield* sql.withTransaction(insertAll(shape))
      yield* sql`VACUUM (ANALYZE)`
      return filled
    }).pipe(Effect.provide(PgClient.layer({ ...config, maxConnections: 1 })))
  )
