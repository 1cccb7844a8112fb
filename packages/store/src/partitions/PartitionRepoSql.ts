import { SqlClient } from "@effect/sql"
import { PgClient } from "@effect/sql-pg"
import { timeOfId } from "@switchboard/services/NewId"
import { type PartitionedTable, PartitionRepo, partitionWidth } from "@switchboard/services/retention/PartitionRepo"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { separateConnections } from "../database/Database.js"
import { isLockTimeout, orUnavailable } from "../database/Unavailable.js"
import { firstIdAt } from "../FirstIdAt.js"
import { partitionedTables } from "./PartitionedTables.js"
import {
  boundsConstraint,
  forValues,
  inBounds,
  keptPartition,
  lockForChange,
  type Partition,
  partitionsOf,
  whileAlone
} from "./Partitions.js"

/** Partitions exist for this time to come. */
const ahead = Duration.days(7)

/** The first multiple of a duration, counted from 1970, after a time. */
const nextMultiple = (after: DateTime.Utc, width: Duration.Duration) => {
  const millis = Duration.toMillis(width)
  return DateTime.unsafeMake((Math.floor(DateTime.toEpochMillis(after) / millis) + 1) * millis)
}

const latest = (times: ReadonlyArray<DateTime.Utc>) => times.reduce((one, other) => DateTime.max(one, other))

const findOpen = (sql: SqlClient.SqlClient, table: PartitionedTable) =>
  Effect.map(partitionsOf(sql, table), (partitions) => partitions.find(({ end }) => end === null))

/** Where the open partition ends when it is closed; null if it begins late enough to stay open. */
const findEnd = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: PartitionedTable,
  { first, name }: Partition,
  width: Duration.Duration
) {
  const now = yield* DateTime.now
  const begins = first === null ? now : timeOfId(first)
  if (first !== null && DateTime.greaterThan(begins, DateTime.addDuration(now, ahead))) return null
  const { id } = partitionedTables[table]
  const [last] = yield* sql.unsafe<{ id: string }>(`SELECT ${id} AS id FROM ${name} ORDER BY ${id} DESC LIMIT 1`)
  const times = last === undefined ? [] : [DateTime.addDuration(now, ahead), timeOfId(last.id)]
  return { end: firstIdAt(nextMultiple(latest([now, begins, ...times]), width)), isEmpty: last === undefined }
})

/** Gives the open partition an end, and makes the next open partition. Requires the lock of `lockForChange`. */
const close = (sql: SqlClient.SqlClient, table: PartitionedTable, { first, name }: Partition, end: string) => {
  const closed = `${table}_to_${DateTime.formatIsoDateUtc(timeOfId(end)).replaceAll(/\D/g, "")}`
  return sql.unsafe(`ALTER TABLE ${table} DETACH PARTITION ${name};
    ALTER TABLE ${name} RENAME TO ${closed};
    ALTER TABLE ${table} ATTACH PARTITION ${closed} ${forValues({ first, end })};
    ALTER TABLE ${closed} DROP CONSTRAINT IF EXISTS ${boundsConstraint};
    CREATE TABLE ${name} PARTITION OF ${table} ${forValues({ first: end, end: null })}`)
}

/**
 * Closes the open partition of a table if it begins too early. An empty one ends after `width`. One with rows ends
 * after `ahead`; a constraint, validated while the table is in use, then proves the bounds of its rows. Returns the
 * number of closed partitions.
 */
const extendOnce = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: PartitionedTable,
  width: Duration.Duration
) {
  const open = yield* findOpen(sql, table)
  const found = open === undefined ? null : yield* findEnd(sql, table, open, width)
  if (open === undefined || found === null) return 0
  const { end, isEmpty } = found
  const { first, name } = open
  const addBounds = sql.unsafe(`SET LOCAL lock_timeout = '100ms';
    ALTER TABLE ${name} DROP CONSTRAINT IF EXISTS ${boundsConstraint};
    ALTER TABLE ${name} ADD CONSTRAINT ${boundsConstraint}
      CHECK (${inBounds(partitionedTables[table].id, { first, end })}) NOT VALID`)
  if (!isEmpty && (yield* whileAlone(sql, table, addBounds)) === null) return 0
  const change = Effect.gen(function* () {
    if (!isEmpty) yield* sql.unsafe(`ALTER TABLE ${name} VALIDATE CONSTRAINT ${boundsConstraint}`)
    yield* lockForChange(sql, table)
    // Another process may have closed the partition since.
    if ((yield* findOpen(sql, table))?.first !== first) return 0
    yield* close(sql, table, open, end)
    return 1
  })
  return (yield* whileAlone(sql, table, change)) ?? 0
})

/** Creates partitions for the time to come. Returns their number. */
const extendPartitions = (sql: SqlClient.SqlClient, table: PartitionedTable, width: Duration.Duration) =>
  Effect.iterate(
    { total: 0, last: 1 },
    {
      while: ({ last }) => last > 0,
      body: ({ total }) => Effect.map(extendOnce(sql, table, width), (last) => ({ total: total + last, last }))
    }
  ).pipe(Effect.map(({ total }) => total))

/** The expired partitions of a table, if one of them was not replaced yet. */
const findExpired = (sql: SqlClient.SqlClient, table: PartitionedTable, youngest: string) =>
  Effect.map(partitionsOf(sql, table), (partitions) => {
    const expired = partitions.filter(({ end }) => end !== null && end <= youngest)
    return expired.some(({ name }) => name !== keptPartition(table)) ? expired : []
  })

/**
 * Replaces the expired partitions of a table by one with the rows that stay, and drops them: the cost of deletion does
 * not depend on the number of rows. While the rows that stay are copied, the expired partitions can be read. Returns the
 * number of dropped partitions.
 */
const replaceExpired = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  table: PartitionedTable,
  retention: Duration.Duration
) {
  const limit = DateTime.subtractDuration(yield* DateTime.now, retention)
  const youngest = firstIdAt(limit)
  const { beforeDrop, cleanUp, id, kept } = partitionedTables[table]
  const next = `${table}_kept_next`
  const replace = Effect.gen(function* () {
    const expired = yield* findExpired(sql, table, youngest)
    const end = expired.at(-1)?.end ?? null
    if (end === null) return null
    const names = expired.map(({ name }) => name)
    yield* sql.unsafe(`SET LOCAL lock_timeout = '5s';
      LOCK TABLE ${names.join(", ")} IN EXCLUSIVE MODE;
      CREATE TABLE ${next} (LIKE ${names[0]} INCLUDING ALL,
        CONSTRAINT ${boundsConstraint} CHECK (${inBounds(id, { first: null, end })}))`)
    const bounds = { end, youngest, limit: DateTime.formatIso(limit) }
    yield* sql.unsafe(`INSERT INTO ${next} ${kept(bounds)}`)
    if (beforeDrop !== undefined) yield* sql.unsafe(beforeDrop(bounds))
    yield* lockForChange(sql, table)
    yield* sql.unsafe(`${names
      .map((name) => `ALTER TABLE ${table} DETACH PARTITION ${name}; DROP TABLE ${name};`)
      .join(" ")}
      ALTER TABLE ${next} RENAME TO ${keptPartition(table)};
      ALTER TABLE ${table} ATTACH PARTITION ${keptPartition(table)} ${forValues({ first: null, end })};
      ALTER TABLE ${keptPartition(table)} DROP CONSTRAINT ${boundsConstraint}`)
    return { end, count: names.length }
  })
  const replaced = yield* whileAlone(sql, table, replace)
  if (replaced === null) return 0
  if (cleanUp !== undefined) yield* cleanUp(sql, replaced.end)
  return replaced.count
})

/**
 * Creates and drops partitions over a separate connection without the pool's timeouts: the check of a large partition
 * can take long.
 */
export const PartitionRepoSql = Layer.effect(
  PartitionRepo,
  Effect.map(PgClient.PgClient, (database) => ({
    update: (table, retention) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const created = yield* extendPartitions(sql, table, partitionWidth(retention))
        return Option.isNone(retention) ? created : created + (yield* replaceExpired(sql, table, retention.value))
      }).pipe(
        Effect.provide(separateConnections(1)),
        Effect.provideService(PgClient.PgClient, database),
        Effect.catchIf(isLockTimeout, () =>
          Effect.as(Effect.logInfo(`A long transaction uses ${table}: its partitions are changed later`), 0)
        ),
        orUnavailable
      )
  }))
)
