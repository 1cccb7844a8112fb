import { SqlClient } from "@effect/sql"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { DateTime, Duration, Effect, Layer } from "effect"
import { deleteOlder } from "../database/Batches.js"
import { forRequest } from "../database/Unavailable.js"
import { firstOf, hasRows } from "../RowMapping.js"

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
        sql<{ keyHash: string; expiresAt: Date }>`SELECT key_hash AS "keyHash", expires_at AS "expiresAt"
          FROM sessions WHERE hash = ${hash} AND expires_at > now()`.pipe(
          Effect.map(firstOf(({ expiresAt, keyHash }) => ({ keyHash, expiresAt: DateTime.unsafeFromDate(expiresAt) }))),
          forRequest
        ),
      insertLoginToken: ({ apiKeyId, expiresAt, hash }) =>
        sql`WITH expired AS (DELETE FROM login_tokens WHERE expires_at < now())
          INSERT INTO login_tokens (hash, organization_id, api_key_id, key_hash, expires_at)
          SELECT ${hash}, organization_id, id, hash, ${DateTime.toDateUtc(expiresAt)} FROM api_keys
          WHERE id = ${apiKeyId} AND organization_id IS NOT NULL AND is_active AND removed_at IS NULL
            AND (expires_at IS NULL OR expires_at > now())
            AND NOT EXISTS (SELECT FROM users AS u WHERE u.api_key_id = api_keys.id)
          RETURNING 1`.pipe(Effect.map(hasRows), forRequest),
      exchangeLoginToken: (tokenHash, { createdAt, expiresAt, hash }) =>
        sql<{ keyHash: string }>`WITH used AS (
            DELETE FROM login_tokens WHERE hash = ${tokenHash} AND expires_at > now()
            RETURNING organization_id, api_key_id, key_hash
          )
          INSERT INTO sessions (hash, organization_id, api_key_id, key_hash, created_at, expires_at)
          SELECT ${hash}, organization_id, api_key_id, key_hash, ${DateTime.toDateUtc(createdAt)}::timestamptz,
            ${DateTime.toDateUtc(expiresAt)}::timestamptz FROM used
          RETURNING key_hash AS "keyHash"`.pipe(Effect.map(firstOf(({ keyHash }) => keyHash)), forRequest),
      insertOidcLogin: ({ browserHash, expiresAt, stateHash }) =>
        forRequest(
          Effect.asVoid(sql`WITH expired AS (DELETE FROM oidc_logins WHERE expires_at < now())
            INSERT INTO oidc_logins (state_hash, browser_hash, expires_at)
            VALUES (${stateHash}, ${browserHash}, ${DateTime.toDateUtc(expiresAt)})`)
        ),
      endOidcLogin: ({ browserHash, stateHash }) =>
        sql`DELETE FROM oidc_logins
          WHERE state_hash = ${stateHash} AND browser_hash = ${browserHash} AND expires_at > now() RETURNING 1`.pipe(
          Effect.map(hasRows),
          forRequest
        ),
      remove: (hash) => forRequest(Effect.asVoid(sql`DELETE FROM sessions WHERE hash = ${hash}`)),
      deleteExpired: deleteOlder(sql, "sessions", "hash", "expires_at")(Duration.zero)
    }
  })
)
