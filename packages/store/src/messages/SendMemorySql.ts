import { SqlClient } from "@effect/sql"
import { SendMemory } from "@switchboard/services/messages/SendMemory"
import { Duration, Effect, Layer } from "effect"
import { inBatches } from "../database/InBatches.js"
import { orUnavailable, retryConflicts } from "../database/Unavailable.js"

/** Rows that one statement deletes. */
const forgetBatch = 1_000

/**
 * Deletes the oldest, found by the index on their time. Waits for nobody: what another worker is deleting, or a send
 * is renewing, is passed over.
 */
const forgetStatement = (table: string, time: string) => /* sql */ `
WITH gone AS (
  DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
    SELECT ctid FROM ${table} WHERE ${time} < now() - make_interval(secs => $1)
    ORDER BY ${time} LIMIT ${forgetBatch} FOR UPDATE SKIP LOCKED
  )) RETURNING 1
)
SELECT count(*)::int AS count FROM gone`

const forgetClaims = forgetStatement("message_claims", "created_at")
const forgetContents = forgetStatement("message_contents", "accepted_at")

/** What is remembered of sends, in the tables `message_claims` and `message_contents`. */
export const SendMemorySql = Layer.effect(
  SendMemory,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const forgetOlder = (statement: string, kept: Duration.Duration) =>
      inBatches(
        sql.unsafe<{ count: number }>(statement, [Duration.toSeconds(kept)]).pipe(
          Effect.map(([row]) => row?.count ?? 0),
          retryConflicts,
          orUnavailable
        ),
        forgetBatch
      )

    return {
      forget: (kept) =>
        Effect.all({ keys: forgetOlder(forgetClaims, kept.keys), contents: forgetOlder(forgetContents, kept.contents) })
    }
  })
)
