import type { SqlClient } from "@effect/sql"
import { Context, Duration, Effect } from "effect"
import { orUnavailable, retryConflicts } from "./Unavailable.js"

/**
 * Repeats a batch until it changes fewer than `full` rows, so that no transaction grows with the work. Returns the
 * total.
 */
export const inBatches = <E, R>(batch: Effect.Effect<number, E, R>, full: number): Effect.Effect<number, E, R> =>
  Effect.iterate(
    { total: 0, last: full },
    {
      while: ({ last }) => last >= full,
      body: ({ total }) => Effect.map(batch, (last) => ({ total: total + last, last }))
    }
  ).pipe(Effect.map(({ total }) => total))

/**
 * One permit for the batches that delete expired data. They run one at a time in a process: several at once would take
 * all processors of a small database from requests.
 */
export class DeletionTurn extends Context.Reference<DeletionTurn>()("store/DeletionTurn", {
  defaultValue: () => Effect.unsafeMakeSemaphore(1)
}) {}

/** Runs a batch of a deletion in its turn. */
export const inTurn = <A, E, R>(batch: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(DeletionTurn, (turn) => turn.withPermits(1)(batch))

/** Rows that one statement deletes. */
const batch = 1_000

/**
 * Deletes the rows of a table with a `time` before `retention` ago, the oldest first, by the index on their time.
 * Skips rows that another worker is deleting or a request is renewing. Returns their number.
 */
export const deleteOlder = (sql: SqlClient.SqlClient, table: string, key: string, time: string) => {
  const statement = /* sql */ `DELETE FROM ${table} WHERE (${key}) IN (
    SELECT ${key} FROM ${table} WHERE ${time} < now() - make_interval(secs => $1)
    ORDER BY ${time} LIMIT ${batch} FOR UPDATE SKIP LOCKED
  ) RETURNING 1`
  return (retention: Duration.Duration) =>
    inBatches(
      sql.unsafe(statement, [Duration.toSeconds(retention)]).pipe(
        Effect.map((rows) => rows.length),
        retryConflicts,
        orUnavailable,
        inTurn
      ),
      batch
    )
}
