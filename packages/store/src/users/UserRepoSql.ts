import { SqlClient, type Statement } from "@effect/sql"
import { type RoleName, rolePermissions } from "@switchboard/domain/apiKeys/Permission"
import { ConflictError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { UserId } from "@switchboard/domain/users/User"
import { totpPurpose } from "@switchboard/services/users/SecondFactorRepo"
import { type ChangedUser, type StoredUser, UserRepo } from "@switchboard/services/users/UserRepo"
import { DateTime, Effect, Layer, Option, Redacted } from "effect"
import { forRequest, retryConflicts, violates } from "../database/Unavailable.js"
import { containsText } from "../Filters.js"
import { storeSecret } from "../installation/Secrets.js"
import { selectPage } from "../Lists.js"
import { firstOf, hasRows } from "../RowMapping.js"
import { insertUserSession, storedUserColumns, storedUserFromRow, userColumns, userFromRow } from "./UserRows.js"

const lastAdmin = new ConflictError({
  message: "The organization needs an admin: make another user an admin first",
  resource: "user"
})

const isAdmin = (roleName: RoleName) => roleName === "admin"

/** Deletes the second factor of a locked user. */
export const deleteFactor = (sql: SqlClient.SqlClient, organization: OrganizationId, id: UserId) =>
  Effect.zipRight(
    storeSecret(sql, organization, totpPurpose, id, null),
    sql`UPDATE users SET totp_last_step = NULL, recovery_code_hashes = '{}' WHERE id = ${id}`
  )

/** Stores a changed user. A removed user's key keeps its row, which its activity refers to. */
const updateUser = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { apiKeyId, organizationId, user: before }: StoredUser,
  { removed, user }: ChangedUser
) {
  if (removed || (before.hasTotp && !user.hasTotp)) yield* deleteFactor(sql, organizationId, user.id)
  if (removed) {
    yield* sql`DELETE FROM users WHERE id = ${user.id}`
    yield* sql`DELETE FROM sessions WHERE api_key_id = ${apiKeyId}`
    yield* sql`UPDATE api_keys SET removed_at = now() WHERE id = ${apiKeyId}`
    return
  }
  yield* sql`UPDATE users SET name = ${user.name}, role_name = ${user.roleName},
      updated_at = ${DateTime.toDateUtc(user.updatedAt)} WHERE id = ${user.id}`
  if (user.roleName === before.roleName) return
  const permissions = JSON.stringify(rolePermissions[user.roleName])
  yield* sql`UPDATE api_keys SET role_name = ${user.roleName}, permissions = ${permissions}::jsonb, updated_at = now()
    WHERE id = ${apiKeyId}`
  yield* sql`DELETE FROM user_invitations WHERE invited_by = ${user.id} AND accepted_at IS NULL`
})

/** Users in the table `users`. */
export const UserRepoSql = Layer.effect(
  UserRepo,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const storedColumns = sql.literal(storedUserColumns)
    const firstStored = firstOf(storedUserFromRow)

    const findStored = (condition: Statement.Fragment) =>
      sql`SELECT ${storedColumns} FROM users AS u ${condition}`.pipe(Effect.map(firstStored), forRequest)

    /** Locks the password that was read, and whether the user has a second factor. */
    const lockPassword = ({ passwordHash, user }: StoredUser) =>
      sql`SELECT FROM users WHERE id = ${user.id}
        AND password_hash IS NOT DISTINCT FROM ${Option.getOrNull(Option.map(passwordHash, Redacted.value))}
        AND (totp_last_step IS NOT NULL) = ${user.hasTotp}
        FOR NO KEY UPDATE`.pipe(Effect.map(hasRows))

    const hasOtherAdmin = (organization: OrganizationId, id: UserId) =>
      sql`SELECT FROM users WHERE organization_id = ${organization} AND role_name = 'admin' AND id <> ${id}
        LIMIT 1`.pipe(Effect.map(hasRows))

    return {
      findByEmail: (email) => findStored(sql`WHERE lower(u.email) = lower(${email})`),
      findByApiKey: (apiKeyId) => findStored(sql`WHERE u.api_key_id = ${apiKeyId}`),
      findByOidcAccount: ({ issuer, subject }) =>
        findStored(sql`WHERE u.oidc_issuer = ${issuer} AND u.oidc_subject = ${subject}`),
      find: (organization, id) =>
        sql`SELECT ${sql.literal(userColumns)} FROM users AS u
          WHERE u.organization_id = ${organization} AND u.id = ${id}`.pipe(
          Effect.map(firstOf(userFromRow)),
          forRequest
        ),
      list: (organization, { roleName, search }, request) =>
        selectPage(sql, request, {
          columns: userColumns,
          tables: "users AS u",
          where: [
            sql`u.organization_id = ${organization}`,
            ...(roleName === undefined ? [] : [sql`u.role_name = ${roleName}`]),
            ...(search === undefined ? [] : [containsText(sql, search, ["u.name", "u.email"])])
          ],
          id: "u.id",
          read: userFromRow
        }).pipe(forRequest),
      change: (organization, id, decide) =>
        Effect.gen(function* () {
          // Changes of one organization wait for each other here, so that each counts the admins that the former left.
          yield* sql`SELECT FROM organizations WHERE id = ${organization} FOR NO KEY UPDATE`
          const present = firstStored(
            yield* sql`SELECT ${storedColumns} FROM users AS u
              WHERE u.organization_id = ${organization} AND u.id = ${id} FOR UPDATE`
          )
          if (Option.isNone(present)) return Option.none()
          const { user } = present.value
          const changed = yield* decide(user)
          const endsAdmin = isAdmin(user.roleName) && (changed.removed || !isAdmin(changed.user.roleName))
          if (endsAdmin && !(yield* hasOtherAdmin(organization, id))) return yield* lastAdmin
          yield* updateUser(sql, present.value, changed)
          return Option.some(changed)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      logIn: (stored, session) =>
        Effect.gen(function* () {
          if (!(yield* lockPassword(stored))) return false
          yield* sql`UPDATE users SET last_login_at = ${DateTime.toDateUtc(session.createdAt)}
            WHERE id = ${stored.user.id}`
          return hasRows(yield* insertUserSession(sql, stored.user.id, session))
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      logInWithOidc: (id, { issuer, subject }, session) =>
        Effect.gen(function* () {
          const bound = yield* sql`UPDATE users SET oidc_issuer = ${issuer}, oidc_subject = ${subject},
              last_login_at = ${DateTime.toDateUtc(session.createdAt)}
            WHERE id = ${id} AND (oidc_issuer IS DISTINCT FROM ${issuer} OR oidc_subject = ${subject}) RETURNING 1`
          return hasRows(bound) && hasRows(yield* insertUserSession(sql, id, session))
        }).pipe(
          sql.withTransaction,
          retryConflicts,
          Effect.catchIf(
            (error) => violates(error, "users_oidc_key"),
            () => Effect.succeed(false)
          ),
          forRequest
        ),
      changePassword: (stored, passwordHash, sessionHash) =>
        Effect.gen(function* () {
          if (!(yield* lockPassword(stored))) return false
          yield* sql`UPDATE users SET password_hash = ${Redacted.value(passwordHash)}, updated_at = now()
            WHERE id = ${stored.user.id}`
          yield* sql`DELETE FROM password_resets WHERE user_id = ${stored.user.id}`
          yield* sql`DELETE FROM sessions WHERE api_key_id = ${stored.apiKeyId} AND hash <> ${sessionHash}`
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      insertReset: (id, { expiresAt, tokenHash }, max) =>
        Effect.gen(function* () {
          // A statement of its own: the next one then counts the links that concurrent requests have stored.
          yield* sql`SELECT FROM users WHERE id = ${id} FOR NO KEY UPDATE`
          const inserted = yield* sql`WITH expired AS (DELETE FROM password_resets WHERE expires_at < now())
            INSERT INTO password_resets (token_hash, organization_id, user_id, expires_at)
            SELECT ${tokenHash}, organization_id, id, ${DateTime.toDateUtc(expiresAt)} FROM users
            WHERE id = ${id} AND ${max} > (
              SELECT count(*) FROM password_resets AS r WHERE r.user_id = users.id AND r.expires_at > now()
            )
            RETURNING 1`
          return hasRows(inserted)
        }).pipe(sql.withTransaction, retryConflicts, forRequest),
      findByReset: (tokenHash) =>
        findStored(sql`JOIN password_resets AS r ON r.user_id = u.id
          WHERE r.token_hash = ${tokenHash} AND r.expires_at > now()`),
      resetPassword: (tokenHash, passwordHash) =>
        Effect.gen(function* () {
          const [used] = yield* sql<{ userId: string }>`DELETE FROM password_resets
            WHERE token_hash = ${tokenHash} AND expires_at > now() RETURNING user_id AS "userId"`
          if (used === undefined) return false
          yield* sql`UPDATE users SET password_hash = ${Redacted.value(passwordHash)}, updated_at = now()
            WHERE id = ${used.userId}`
          yield* sql`DELETE FROM password_resets WHERE user_id = ${used.userId}`
          yield* sql`DELETE FROM sessions WHERE api_key_id = (SELECT api_key_id FROM users WHERE id = ${used.userId})`
          return true
        }).pipe(sql.withTransaction, retryConflicts, forRequest)
    }
  })
)
