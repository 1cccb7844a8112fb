import { SqlClient } from "@effect/sql"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { inBatches } from "../database/InBatches.js"
import { forCaller, orUnavailable, retryConflicts } from "../database/Unavailable.js"

/** Rows that one statement deletes. */
const forgetBatch = 1_000

/** Log-ins in the table `sessions`. */
export const SessionRepoSql = Layer.effect(
  SessionRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      insert: ({ apiKeyId, createdAt, expiresAt, hash, keyHash, organizationId }) =>
        forCaller(
          Effect.asVoid(sql`INSERT INTO sessions (hash, organization_id, api_key_id, key_hash, created_at, expires_at)
            VALUES (${hash}, ${organizationId}, ${apiKeyId}, ${keyHash}, ${DateTime.toDateUtc(createdAt)},
              ${DateTime.toDateUtc(expiresAt)})`)
        ),
      findKeyHash: (hash) =>
        forCaller(
          Effect.map(
            sql<{ key_hash: string }>`SELECT key_hash FROM sessions WHERE hash = ${hash} AND expires_at > now()`,
            ([row]) => Option.map(Option.fromNullable(row), ({ key_hash }) => key_hash)
          )
        ),
      remove: (hash) => forCaller(Effect.asVoid(sql`DELETE FROM sessions WHERE hash = ${hash}`)),
      // Waits for nobody: what another worker is deleting is passed over.
      deleteExpired: inBatches(
        sql<{ count: number }>`WITH gone AS (
            DELETE FROM sessions WHERE hash = ANY (ARRAY(
              SELECT hash FROM sessions WHERE expires_at < now()
              ORDER BY expires_at LIMIT ${forgetBatch} FOR UPDATE SKIP LOCKED
            )) RETURNING 1
          ) SELECT count(*)::int AS count FROM gone`.pipe(
          Effect.map(([row]) => row?.count ?? 0),
          retryConflicts,
          orUnavailable
        ),
        forgetBatch
      )
    }
  })
)
