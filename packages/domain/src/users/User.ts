import { Schema } from "effect"
import { RoleName } from "../apiKeys/Permission.js"
import { EmailAddress } from "../email/EmailAddress.js"
import { choice } from "../Fields.js"
import { SearchText } from "../Search.js"
import { text, visibleLine } from "../Text.js"
import { Timestamp } from "../Timestamp.js"
import { Uuid } from "../Uuid.js"

export const UserId = Uuid.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** The name of a person, as colleagues read it. */
export const UserName = visibleLine(200)
const Role = choice(...RoleName.literals)

/** The address of a request. It is stored as an address is parsed, since the store compares it. */
const UserAddress = Schema.typeSchema(EmailAddress)

/**
 * A new password. NIST SP 800-63B section 3.1.1.2 requires a length and no composition; the maximum bounds the work of
 * a request.
 */
const NewPassword = text(10, 200).annotations({ description: "a password of 10 to 200 characters" })

/** The part of a user that a session and an invitation name. */
export class UserReference extends Schema.Class<UserReference>("UserReference")({
  id: UserId,
  email: UserAddress,
  name: Schema.String
}) {}

/** The user of a session. */
export class SessionUser extends UserReference.extend<SessionUser>("SessionUser")({ hasTotp: Schema.Boolean }) {}

/** A person of an organization, who logs in to the console. */
export class User extends Schema.Class<User>("User")({
  id: UserId,
  email: UserAddress,
  name: Schema.String,
  roleName: RoleName,
  hasPassword: Schema.Boolean,
  hasTotp: Schema.Boolean,
  lastLoginAt: Schema.optional(Timestamp),
  createdAt: Timestamp,
  updatedAt: Timestamp
}) {}

/** Filters of a list of users; `search` matches name and address. */
export const UserFilters = Schema.Struct({
  search: Schema.optional(SearchText),
  roleName: Schema.optional(Role)
})
export type UserFilters = typeof UserFilters.Type

/** The fields to change; omitted fields stay. */
export const UpdateUser = Schema.Struct({
  name: Schema.optional(UserName),
  roleName: Schema.optional(Role)
}).annotations({ identifier: "UpdateUser" })
export type UpdateUser = typeof UpdateUser.Type

export const UserInvitationId = Uuid.pipe(Schema.brand("UserInvitationId"))
export type UserInvitationId = typeof UserInvitationId.Type

/** An invitation to an organization. */
export const CreateInvitation = Schema.Struct({
  email: EmailAddress,
  roleName: Role,
  name: Schema.optional(UserName)
}).annotations({ identifier: "CreateInvitation" })
export type CreateInvitation = typeof CreateInvitation.Type

/** An invitation that was not accepted yet. `url` and `isMailed` are only in the response that created it. */
export class UserInvitation extends Schema.Class<UserInvitation>("UserInvitation")({
  id: UserInvitationId,
  email: UserAddress,
  roleName: RoleName,
  name: Schema.optional(Schema.String),
  invitedBy: Schema.optional(UserReference),
  createdAt: Timestamp,
  expiresAt: Timestamp,
  url: Schema.optional(Schema.String),
  isMailed: Schema.optional(Schema.Boolean)
}) {}

export const PasswordResetId = Uuid.pipe(Schema.brand("PasswordResetId"))
export type PasswordResetId = typeof PasswordResetId.Type

const Token = Schema.String.annotations({ description: "the token of a link" })

/** The acceptance of an invitation. The format of the token is not validated here: any invalid one gets a 401. */
export const AcceptInvitation = Schema.Struct({ token: Token, name: UserName, password: NewPassword }).annotations({
  identifier: "AcceptInvitation"
})
export type AcceptInvitation = typeof AcceptInvitation.Type

/** A request for a link that sets a new password. */
export const RequestPasswordReset = Schema.Struct({ email: EmailAddress }).annotations({
  identifier: "RequestPasswordReset"
})

/** A new password with the token of a reset link. */
export const ConfirmPasswordReset = Schema.Struct({ token: Token, password: NewPassword }).annotations({
  identifier: "ConfirmPasswordReset"
})

const CurrentPassword = Schema.String.annotations({ description: "a password" })
const FactorCode = text(1, 100).annotations({ description: "a code of the second factor" })

/** A new password of the session's user. */
export const ChangePassword = Schema.Struct({
  currentPassword: CurrentPassword,
  newPassword: NewPassword
}).annotations({ identifier: "ChangePassword" })

/** The begin of a second factor of the session's user. */
export const BeginTotp = Schema.Struct({ password: CurrentPassword }).annotations({ identifier: "BeginTotp" })

/** A secret for an authenticator app. It is valid for log-ins when a code confirms it. */
export class TotpSecret extends Schema.Class<TotpSecret>("TotpSecret")({
  secret: Schema.String,
  uri: Schema.String
}) {}

/** The confirmation of a second factor. */
export const ConfirmTotp = Schema.Struct({ code: FactorCode }).annotations({ identifier: "ConfirmTotp" })

/** Codes that each replace one code of the authenticator app. */
export class RecoveryCodes extends Schema.Class<RecoveryCodes>("RecoveryCodes")({
  recoveryCodes: Schema.Array(Schema.String)
}) {}

/** The removal of the second factor of the session's user. */
export const RemoveTotp = Schema.Struct({ password: CurrentPassword, code: FactorCode }).annotations({
  identifier: "RemoveTotp"
})
