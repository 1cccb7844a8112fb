import { SqlClient } from "@effect/sql"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { DateTime, Effect, Layer, Option } from "effect"
import { inBatches } from "../database/InBatches.js"
import { forRequest, orUnavailable, retryConflicts } from "../database/Unavailable.js"

/** Rows that one statement deletes. */
const deleteBatch = 1_000

/** Browser sessions in the table `sessions`. */
export const SessionRepoSql = Layer.effect(
  SessionRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return {
      insert: ({ apiKeyId, createdAt, expiresAt, hash, keyHash, organizationId }) =>
        forRequest(
          Effect.asVoid(sql`INSERT INTO sessions (hash, organization_id, api_key_id, key_hash, created_at, expires_at)
            VALUES (${hash}, ${organizationId}, ${apiKeyId}, ${keyHash}, ${DateTime.toDateUtc(createdAt)},
              ${DateTime.toDateUtc(expiresAt)})`)
        ),
      find: (hash) =>
        forRequest(
          Effect.map(
            sql<{ keyHash: string; expiresAt: Date }>`SELECT key_hash AS "keyHash", expires_at AS "expiresAt"
              FROM sessions WHERE hash = ${hash} AND expires_at > now()`,
            ([row]) =>
              Option.map(Option.fromNullable(row), ({ expiresAt, keyHash }) => ({
                keyHash,
                expiresAt: DateTime.unsafeFromDate(expiresAt)
              }))
          )
        ),
      remove: (hash) => forRequest(Effect.asVoid(sql`DELETE FROM sessions WHERE hash = ${hash}`)),
      // Skips rows that another worker is deleting.
      deleteExpired: inBatches(
        sql<{ count: number }>`WITH deleted AS (
            DELETE FROM sessions WHERE hash = ANY (ARRAY(
              SELECT hash FROM sessions WHERE expires_at < now()
              ORDER BY expires_at LIMIT ${deleteBatch} FOR UPDATE SKIP LOCKED
            )) RETURNING 1
          ) SELECT count(*)::int AS count FROM deleted`.pipe(
          Effect.map(([row]) => row?.count ?? 0),
          retryConflicts,
          orUnavailable
        ),
        deleteBatch
      )
    }
  })
)
