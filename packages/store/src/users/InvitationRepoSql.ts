import { SqlClient } from "@effect/sql"
import { InvitationRepo } from "@switchboard/services/users/InvitationRepo"
import { DateTime, Duration, Effect, Layer, Option, Redacted } from "effect"
import { insertApiKey } from "../apiKeys/ApiKeyRepoSql.js"
import { deleteOlder } from "../database/Batches.js"
import { forRequest, retryConflicts, violates } from "../database/Unavailable.js"
import { withCreationKey } from "../idempotency/StoreCreationKey.js"
import { selectPage } from "../Lists.js"
import { firstOf, hasRows } from "../RowMapping.js"
import { addressTaken, insertUserSession, invitationColumns, invitationFromRow, joinInviter } from "./UserRows.js"

/** An invitation `i` that can be accepted. */
const isOpen = "i.accepted_at IS NULL AND i.expires_at > now()"

/** Invitations in the table `user_invitations`. */
export const InvitationRepoSql = Layer.effect(
  InvitationRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const open = sql.literal(isOpen)
    const select = sql.literal(`SELECT ${invitationColumns}, i.accepted_at IS NOT NULL AS "isAccepted"
      FROM user_invitations AS i ${joinInviter}`)

    return {
      insert: ({ invitation, organizationId }, tokenHash, key) =>
        Effect.gen(function* () {
          // A concurrent change of the key waits for the invitation, and then ends it.
          const locked = yield* sql`SELECT FROM api_keys WHERE id = ${key.id} AND is_active AND removed_at IS NULL
            AND permissions = ${JSON.stringify(key.permissions)}::jsonb FOR SHARE`
          if (!hasRows(locked)) return false
          const inserted = yield* sql`INSERT INTO user_invitations AS i (id, organization_id, token_hash, email, name,
              role_name, invited_by, created_at, expires_at)
            SELECT ${invitation.id}, ${organizationId}, ${tokenHash}, ${invitation.email}, ${invitation.name ?? null},
              ${invitation.roleName}, ${invitation.invitedBy?.id ?? null},
              ${DateTime.toDateUtc(invitation.createdAt)}::timestamptz,
              ${DateTime.toDateUtc(invitation.expiresAt)}::timestamptz
            WHERE NOT EXISTS (SELECT FROM users WHERE lower(email) = lower(${invitation.email}))
            ON CONFLICT (organization_id, lower(email)) WHERE accepted_at IS NULL DO UPDATE SET id = EXCLUDED.id,
              token_hash = EXCLUDED.token_hash, email = EXCLUDED.email, name = EXCLUDED.name,
              role_name = EXCLUDED.role_name, invited_by = EXCLUDED.invited_by, created_at = EXCLUDED.created_at,
              expires_at = EXCLUDED.expires_at
            RETURNING 1`
          return hasRows(inserted) || (yield* addressTaken(invitation.email))
        }).pipe(
          sql.withTransaction,
          withCreationKey(sql, (isStored) => (isStored ? invitation.id : null)),
          retryConflicts,
          forRequest
        ),
      find: (organization, id) =>
        sql`${select} WHERE i.organization_id = ${organization} AND i.id = ${id} AND ${open}`.pipe(
          Effect.map(firstOf((row) => invitationFromRow(row).invitation)),
          forRequest
        ),
      list: (organization, request) =>
        selectPage(sql, request, {
          columns: invitationColumns,
          tables: "user_invitations AS i",
          joins: joinInviter,
          where: [sql`i.organization_id = ${organization}`, open],
          id: "i.id",
          read: (row) => invitationFromRow(row).invitation
        }).pipe(forRequest),
      remove: (organization, id) =>
        sql`DELETE FROM user_invitations AS i
          WHERE i.organization_id = ${organization} AND i.id = ${id} AND ${open} RETURNING 1`.pipe(
          Effect.map(hasRows),
          forRequest
        ),
      findByToken: (tokenHash) =>
        sql<{ isAccepted: boolean }>`${select} WHERE i.token_hash = ${tokenHash} AND i.expires_at > now()`.pipe(
          Effect.map(
            firstOf((row) => ({
              ...invitationFromRow(row),
              isAccepted: "isAccepted" in row && row.isAccepted === true
            }))
          ),
          forRequest
        ),
      findByEmail: (email) =>
        sql`${select} WHERE lower(i.email) = lower(${email}) AND ${open} ORDER BY i.id DESC LIMIT 1`.pipe(
          Effect.map(firstOf(invitationFromRow)),
          forRequest
        ),
      accept: (id, { key, oidcAccount, passwordHash, session, user }) =>
        Effect.gen(function* () {
          const accepted = yield* sql`UPDATE user_invitations AS i SET accepted_at = now()
            WHERE i.id = ${id} AND ${open} RETURNING organization_id`
          if (!hasRows(accepted)) return false
          yield* insertApiKey(sql, key)
          yield* sql`INSERT INTO users (id, organization_id, email, name, role_name, password_hash, api_key_id,
              last_login_at, created_at, updated_at, oidc_issuer, oidc_subject)
            SELECT ${user.id}, i.organization_id, ${user.email}, ${user.name}, ${user.roleName},
              ${Option.getOrNull(Option.map(passwordHash, Redacted.value))}, ${key.apiKey.id}, ${DateTime.toDateUtc(session.createdAt)}::timestamptz,
              ${DateTime.toDateUtc(user.createdAt)}::timestamptz, ${DateTime.toDateUtc(user.updatedAt)}::timestamptz,
              ${Option.getOrNull(Option.map(oidcAccount, ({ issuer }) => issuer))},
              ${Option.getOrNull(Option.map(oidcAccount, ({ subject }) => subject))}
            FROM user_invitations AS i WHERE i.id = ${id}`
          yield* insertUserSession(sql, user.id, session)
          return true
        }).pipe(
          Effect.mapError((error) =>
            error._tag === "SqlError" && (violates(error, "users_email_key") || violates(error, "users_oidc_key"))
              ? addressTaken(user.email)
              : error
          ),
          sql.withTransaction,
          retryConflicts,
          forRequest
        ),
      deleteExpired: deleteOlder(sql, "user_invitations", "id", "expires_at")(Duration.zero)
    }
  })
)
