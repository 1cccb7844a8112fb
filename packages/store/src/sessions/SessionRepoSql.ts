import { SqlClient } from "@effect/sql"
import { SessionRepo } from "@switchboard/services/sessions/SessionRepo"
import { DateTime, Duration, Effect, Layer, Option } from "effect"
import { deleteOlder } from "../database/Batches.js"
import { forRequest } from "../database/Unavailable.js"

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
      insertLoginToken: ({ apiKeyId, expiresAt, hash }) =>
        forRequest(
          Effect.map(
            sql`WITH expired AS (DELETE FROM login_tokens WHERE expires_at < now())
              INSERT INTO login_tokens (hash, organization_id, api_key_id, key_hash, expires_at)
              SELECT ${hash}, organization_id, id, hash, ${DateTime.toDateUtc(expiresAt)} FROM api_keys
              WHERE id = ${apiKeyId} AND organization_id IS NOT NULL AND is_active AND removed_at IS NULL
                AND (expires_at IS NULL OR expires_at > now())
                AND NOT EXISTS (SELECT FROM users AS u WHERE u.api_key_id = api_keys.id)
              RETURNING 1`,
            (rows) => rows.length > 0
          )
        ),
      exchangeLoginToken: (tokenHash, { createdAt, expiresAt, hash }) =>
        forRequest(
          Effect.map(
            sql<{ keyHash: string }>`WITH used AS (
                DELETE FROM login_tokens WHERE hash = ${tokenHash} AND expires_at > now()
                RETURNING organization_id, api_key_id, key_hash
              )
              INSERT INTO sessions (hash, organization_id, api_key_id, key_hash, created_at, expires_at)
              SELECT ${hash}, organization_id, api_key_id, key_hash, ${DateTime.toDateUtc(createdAt)}::timestamptz,
                ${DateTime.toDateUtc(expiresAt)}::timestamptz FROM used
              RETURNING key_hash AS "keyHash"`,
            ([row]) => Option.map(Option.fromNullable(row), ({ keyHash }) => keyHash)
          )
        ),
      insertOidcLogin: ({ browserHash, expiresAt, stateHash }) =>
        forRequest(
          Effect.asVoid(sql`WITH expired AS (DELETE FROM oidc_logins WHERE expires_at < now())
            INSERT INTO oidc_logins (state_hash, browser_hash, expires_at)
            VALUES (${stateHash}, ${browserHash}, ${DateTime.toDateUtc(expiresAt)})`)
        ),
      endOidcLogin: ({ browserHash, stateHash }) =>
        forRequest(
          Effect.map(
            sql`DELETE FROM oidc_logins
              WHERE state_hash = ${stateHash} AND browser_hash = ${browserHash} AND expires_at > now() RETURNING 1`,
            (rows) => rows.length > 0
          )
        ),
      remove: (hash) => forRequest(Effect.asVoid(sql`DELETE FROM sessions WHERE hash = ${hash}`)),
      deleteExpired: deleteOlder(sql, "sessions", "hash", "expires_at")(Duration.zero)
    }
  })
)
