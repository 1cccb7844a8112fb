import { SqlClient } from "@effect/sql"
import { IdempotencyRepo } from "@switchboard/services/messages/IdempotencyRepo"
import { Duration, Effect, Layer } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"

/** Rows that one statement deletes. */
const batch = 1_000

/**
 * Deletes the oldest rows by the index on their time. Skips rows that another worker is deleting or a send is renewing.
 */
const deleteStatement = (table: string, time: string) => /* sql */ `
WITH deleted AS (
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${time} < now() - make_interval(secs => $1)
    ORDER BY ${time} LIMIT ${batch} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT count(*)::int AS count FROM deleted`

const deleteClaims = deleteStatement("message_claims", "created_at")
const deleteContents = deleteStatement("message_contents", "accepted_at")

/** Idempotency records, in the tables `message_claims` and `message_contents`. */
export const IdempotencyRepoSql = Layer.effect(
  IdempotencyRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const deleteOlder = (statement: string, retention: Duration.Duration) =>
      inBatches(
        sql.unsafe<{ count: number }>(statement, [Duration.toSeconds(retention)]).pipe(
          Effect.map(([row]) => row?.count ?? 0),
          retryConflicts,
          orUnavailable
        ),
        batch
      )

    return {
      deleteExpired: (retention) =>
        Effect.all({
          keys: deleteOlder(deleteClaims, retention.keys),
          contents: deleteOlder(deleteContents, retention.contents)
        })
    }
  })
)
