import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { EventId } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type PartitionedTable, PartitionRepo } from "@switchboard/services/retention/PartitionRepo"
import { insertEvents } from "@switchboard/store/events/InsertEvents"
import { partitionsOf } from "@switchboard/store/partitions/Partitions"
import { Clock, DateTime, type Duration, Effect, Option } from "effect"
import { v7 } from "uuid"
import { TestDatabaseUrl } from "../TestDatabase.js"
import { newEvent } from "../webhooks/Fixtures.js"

/** The first day of the tests: a multiple of every width. */
export const start = DateTime.unsafeMake("2025-03-13")

/** A number of days after the first. */
export const day = (days: number) => DateTime.add(start, { hours: days * 24 })

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
  Effect.flatMap(PartitionRepo, (repo) => repo.update(table, Option.fromNullable(retention))).pipe(onDay(days))

/** The days on which partitions begin. */
export const begins = (table: PartitionedTable) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(partitionsOf(sql, table), (partitions) =>
      partitions.map(({ end, first }) => {
        const [from, to] = [first, end].map((id) =>
          id === null ? null : (Number.parseInt(id.replace("-", "").slice(0, 12), 16) - start.epochMillis) / 86_400_000
        )
        return [from, to]
      })
    )
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
        WHERE relid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass)`,
        table
      ),
      (rows) => new Map(rows.map((row) => [row.name, row.scans]))
    )
    const count = Effect.gen(function* () {
      const before = yield* scans
      yield* read
      const after = yield* scans
      return (yield* partitionsOf(sql, table)).flatMap(({ name }) =>
        (after.get(name) ?? 0) > (before.get(name) ?? 0) ? [name] : []
      )
    })
    return yield* sql.withTransaction(count)
  })
