import type { SqlClient } from "@effect/sql"
import type { PartitionedTable } from "@switchboard/services/retention/PartitionRepo"
import { DateTime, type Duration, Effect } from "effect"
import { firstIdAt } from "../FirstIdAt.js"
import { partitionedTables } from "./PartitionedTables.js"
import {
  boundsConstraint,
  forValues,
  inBounds,
  keptPartition,
  lockForChange,
  partitionsOf,
  whileAlone
} from "./Partitions.js"

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
export const replaceExpired = Effect.fnUntraced(function* (
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
