import { SqlClient } from "@effect/sql"
import type { LeaseRequest } from "@switchboard/services/queues/WorkQueue"
import type { SettledEntry } from "@switchboard/store/queues/ChangeEntries"
import type { LeaseRow } from "@switchboard/store/queues/LeaseEntries"
import { NotificationsLive, type QueueTable, queueTables } from "@switchboard/store/queues/QueueTables"
import { workQueueSql } from "@switchboard/store/queues/WorkQueueSql"
import { Duration, Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { v4 } from "uuid"
import { SharedDatabase, TestDatabaseUrl, testDatabase } from "../TestDatabase.js"
import { StoppedMonotonicTime } from "./MonotonicTime.js"

/** Autovacuum reads buffers of the tables, and its statistics change plans between two measurements. */
export const withoutAutovacuum = Layer.effectDiscard(
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(Object.values(queueTables), ({ name }) =>
      sql.unsafe(`ALTER TABLE ${name}_queue SET (autovacuum_enabled = off);
        ALTER TABLE ${name}_waiting SET (autovacuum_enabled = off)`)
    )
  )
)

/** One connection, so that its statistics are those of all statements. */
const Queues = Layer.provideMerge(Layer.merge(NotificationsLive, withoutAutovacuum), testDatabase(1))

export const Live = Layer.merge(Layer.provideMerge(Queues, SharedDatabase), StoppedMonotonicTime)

/** The same, in the test file's own database. */
export const OwnLive = Layer.merge(Layer.provideMerge(Queues, TestDatabaseUrl.Live), StoppedMonotonicTime)

/** A request that treats all entries as excess, or as entries without work. */
interface Request extends LeaseRequest {
  readonly finds?: "no room" | "no work"
}

/** A queue whose items are its leased rows, as one process has it. */
export const queueOf = (table: QueueTable) =>
  workQueueSql(table, {
    read: (leases: ReadonlyArray<LeaseRow>, { finds }: Request) =>
      Effect.succeed({
        items: finds === undefined ? leases : [],
        gone: finds === "no work" ? leases : [],
        excess: finds === "no room" ? leases : []
      }),
    settle: (done: ReadonlyArray<SettledEntry>, hold) =>
      Effect.map(hold(done), (held) => done.filter(({ id }) => held.has(id)))
  })

export const request = (limit: number, overrides: Partial<Request> = {}): Request => ({
  worker: "a",
  lease: Duration.seconds(60),
  limit,
  perOwner: limit,
  skipped: [],
  except: [],
  ...overrides
})

export const idsOf = (rows: ReadonlyArray<LeaseRow>) => rows.map(({ id }) => id)

export const keysOf = (rows: ReadonlyArray<LeaseRow>) =>
  rows.map(({ id, organization_id }) => ({ organizationId: organization_id, id }))

/** Adds entries to a queue, ready since `age` ago. Returns their ids, the oldest first. */
export const addEntries = (
  { name, owner }: QueueTable,
  ownerId: string,
  count: number,
  { age = "0 seconds", lane = 0 } = {}
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const others = { organization_id: ownerId, endpoint_id: ownerId, agent_id: ownerId, retries_used: 0, lane }
    const ids = Array.from({ length: count }, () => v4())
    // The order of the index is not that of the table's pages.
    yield* sql`INSERT INTO ${sql.literal(`${name}_queue`)}
      SELECT (jsonb_populate_record(NULL::${sql.literal(`${name}_queue`)}, ${JSON.stringify({
        ...others,
        lease_expiries: 0,
        is_repeat: false
      })}::jsonb || jsonb_build_object(${owner}::text, ${ownerId}::text, 'id', id, 'message_id', id, 'event_id', id,
        'due_since', now() - ${age}::interval + n * interval '1 microsecond',
        'ready_at', now() - ${age}::interval + n * interval '1 microsecond'))).*
      FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS g(id, n) ORDER BY id`
    return ids
  })

/** Holds a snapshot on another connection, until the scope is closed. */
export const holdSnapshot = Effect.gen(function* () {
  const url = yield* TestDatabaseUrl
  const client = new Client({ connectionString: Redacted.value(url) })
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      await client.connect()
      await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ")
      await client.query("SELECT 1")
    }),
    () => Effect.promise(() => client.end())
  )
})

/** The number of buffers of a table and its indexes that an effect reads. */
export const buffersOf = <A, E, R>(table: string, effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const total = Effect.gen(function* () {
      yield* sql`SELECT pg_stat_force_next_flush()`
      const [row] = yield* sql<{ buffers: number }>`SELECT
        (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 AS buffers
        FROM pg_statio_user_tables WHERE relname = ${table}`
      return row?.buffers ?? 0
    })
    const before = yield* total
    const result = yield* effect
    return { result, buffers: (yield* total) - before }
  })
