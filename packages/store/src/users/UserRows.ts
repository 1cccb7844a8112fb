import type { SqlClient } from "@effect/sql"
import { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import { RoleName } from "@switchboard/domain/apiKeys/Permission"
import { ConflictError } from "@switchboard/domain/Errors"
import { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { User, UserId, UserInvitation, UserInvitationId, UserReference } from "@switchboard/domain/users/User"
import type { NewSession } from "@switchboard/services/sessions/SessionRepo"
import type { StoredInvitation } from "@switchboard/services/users/InvitationRepo"
import type { StoredUser } from "@switchboard/services/users/UserRepo"
import { DateTime, Schema } from "effect"
import { nullable } from "../RowMapping.js"

const Instant = Schema.DateTimeUtcFromDate

const decodeUser = Schema.decodeUnknownSync(
  Schema.Struct({
    id: UserId,
    email: EmailAddress,
    name: Schema.String,
    roleName: RoleName,
    hasPassword: Schema.Boolean,
    hasTotp: Schema.Boolean,
    lastLoginAt: nullable(Instant),
    createdAt: Instant,
    updatedAt: Instant
  })
)

/** The columns of a user. */
export const userColumns = `u.id, u.email, u.name, u.role_name AS "roleName", u.password_hash IS NOT NULL AS "hasPassword",
  u.totp_last_step IS NOT NULL AS "hasTotp",
  u.last_login_at AS "lastLoginAt", u.created_at AS "createdAt", u.updated_at AS "updatedAt"`

/** Decodes a user. */
export const userFromRow = (row: object): User => new User(decodeUser(row), { disableValidation: true })

const decodeStored = Schema.decodeUnknownSync(
  Schema.Struct({
    organizationId: OrganizationId,
    apiKeyId: ApiKeyId,
    passwordHash: Schema.OptionFromNullOr(Schema.Redacted(Schema.String))
  })
)

/** The columns of a user with the part that log-ins need. */
export const storedUserColumns = `${userColumns}, u.organization_id AS "organizationId", u.api_key_id AS "apiKeyId",
  u.password_hash AS "passwordHash"`

/** Decodes a user with the part that log-ins need. */
export const storedUserFromRow = (row: object): StoredUser => ({ user: userFromRow(row), ...decodeStored(row) })

const decodeInvitation = Schema.decodeUnknownSync(
  Schema.Struct({
    id: UserInvitationId,
    organizationId: OrganizationId,
    email: EmailAddress,
    roleName: RoleName,
    name: nullable(Schema.String),
    invitedBy: Schema.NullOr(Schema.Struct({ id: UserId, email: EmailAddress, name: Schema.String })),
    createdAt: Instant,
    expiresAt: Instant
  })
)

/** The columns of an invitation `i` that was made by a user `u`. */
export const invitationColumns = `i.id, i.organization_id AS "organizationId", i.email, i.role_name AS "roleName", i.name,
  CASE WHEN u.id IS NOT NULL THEN json_build_object('id', u.id, 'email', u.email, 'name', u.name) END AS "invitedBy",
  i.created_at AS "createdAt", i.expires_at AS "expiresAt"`

/** The user who made an invitation `i`. */
export const joinInviter = "LEFT JOIN users AS u ON u.id = i.invited_by"

/** Decodes an invitation. */
export const invitationFromRow = (row: object): StoredInvitation => {
  const { invitedBy, organizationId, ...stored } = decodeInvitation(row)
  const invitation = new UserInvitation(
    {
      ...stored,
      invitedBy: invitedBy === null ? undefined : new UserReference(invitedBy, { disableValidation: true })
    },
    { disableValidation: true }
  )
  return { organizationId, invitation }
}

/** The address of a request has a user, of this organization or of another one. */
export const addressTaken = (email: string) =>
  new ConflictError({ message: `${email} has an account already`, resource: "user" })

/** Stores a session of a user, with the hash of the user's key. */
export const insertUserSession = (
  sql: SqlClient.SqlClient,
  userId: UserId,
  { createdAt, expiresAt, hash }: NewSession
) => sql`INSERT INTO sessions (hash, organization_id, api_key_id, key_hash, created_at, expires_at)
  SELECT ${hash}, u.organization_id, u.api_key_id, k.hash, ${DateTime.toDateUtc(createdAt)}::timestamptz,
    ${DateTime.toDateUtc(expiresAt)}::timestamptz
  FROM users AS u JOIN api_keys AS k ON k.id = u.api_key_id WHERE u.id = ${userId}
  RETURNING 1`
