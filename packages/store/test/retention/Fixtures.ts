import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { EventId } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PartitionedTable, RetentionRepo } from "@switchboard/services/retention/RetentionRepo"
import { insertEvents } from "@switchboard/store/events/InsertEvents"
import { partitionsOf } from "@switchboard/store/retention/Partitions"
import { Clock, DateTime, Duration, Effect, Option } from "effect"
import { v7 } from "uuid"
import { TestDatabaseUrl } from "../TestDatabase.js"
import { newEvent } from "../webhooks/Fixtures.js"

export const thirtyDays = Duration.days(30)

/** The first day of this month. */
const start = DateTime.startOf(DateTime.unsafeNow(), "month")

/** A number of days after the first. */
export const day = (days: number) => DateTime.add(start, { hours: days * 24 })

/** The name of a partition: a number of months after this one. */
export const partition = (table: PartitionedTable, months: number) =>
  `${table}_${DateTime.formatIsoDateUtc(DateTime.add(start, { months })).slice(0, 7).replace("-", "_")}`

/** Runs at the time of a day. */
export const onDay = (days: number) =>
  Effect.withClock(
    Object.assign(Clock.make(), {
      unsafeCurrentTimeMillis: () => DateTime.toEpochMillis(day(days)),
      currentTimeMillis: Effect.succeed(DateTime.toEpochMillis(day(days)))
    })
  )

/** Creates and drops partitions, on a day. */
export const update = (table: PartitionedTable, days: number, retention?: Duration.Duration) =>
  Effect.flatMap(RetentionRepo, (repo) => repo.updatePartitions(table, Option.fromNullable(retention))).pipe(
    onDay(days)
  )

/** The names of the partitions of a table, oldest first. */
export const names = (table: PartitionedTable) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(partitionsOf(sql, table), (partitions) => partitions.map(({ name }) => name))
  )

export const query = <A extends object>(statement: string, ...parameters: ReadonlyArray<unknown>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<A>(statement, parameters))

/** Writes an event of a day, by default of its time too. Returns its id. */
export const writeEvent = Effect.fnUntraced(function* (organization: OrganizationId, days: number, at = days) {
  const sql = yield* SqlClient.SqlClient
  const id = EventId.make(v7({ msecs: DateTime.toEpochMillis(day(days)) }))
  yield* insertEvents(sql, [{ ...(yield* newEvent(organization)), id, at: day(at) }])
  return id
})

/** Runs on a connection of its own, like another process. */
export const elsewhere = <A, E>(run: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(TestDatabaseUrl, (url) =>
    Effect.flatMap(SqlClient.SqlClient, run).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))
  )

/** The partitions of a table that an effect reads, oldest first. */
export const partitionsRead = <A, E, R>(table: PartitionedTable, read: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const scans = Effect.map(
      query<{ name: string; scans: number }>(
        `SELECT relname AS name, (seq_scan + idx_scan)::int AS scans FROM pg_stat_xact_user_tables
        WHERE relid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass) ORDER BY relname`,
        table
      ),
      (rows) => new Map(rows.map((row) => [row.name, row.scans]))
    )
    const count = Effect.gen(function* () {
      const before = yield* scans
      yield* read
      return [...(yield* scans)].flatMap(([name, after]) => (after > (before.get(name) ?? 0) ? [name] : []))
    })
    return yield* sql.withTransaction(count)
  })
