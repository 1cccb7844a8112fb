import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { BadRequestError, ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { User, UserFilters, UserId } from "@switchboard/domain/users/User"
import { Context, type DateTime, type Effect, type Option, type Redacted } from "effect"
import type { NewSession } from "../sessions/SessionRepo.js"

/** A user with the part that log-ins need. */
export interface StoredUser {
  readonly user: User
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  /** The PHC string of the password; none without a password. */
  readonly passwordHash: Option.Option<Redacted.Redacted<string>>
}

/** An account at a provider of OpenID Connect. */
export interface OidcAccount {
  readonly issuer: string
  /** The claim `sub`: the provider's id of the person, which never changes. */
  readonly subject: string
}

/** The token of a link that sets a password, as stored. */
export interface StorableReset {
  /** The SHA-256 (hex) of the token. */
  readonly tokenHash: string
  readonly expiresAt: DateTime.Utc
}

/** The result of a change to a user. */
export interface ChangedUser {
  /** The user after the change. */
  readonly user: User
  /** Whether the user is removed for good. */
  readonly removed: boolean
}

/** Stores the users of organizations. */
export class UserRepo extends Context.Tag("services/UserRepo")<
  UserRepo,
  {
    /** The user with an address, which is compared case-insensitively. */
    readonly findByEmail: (email: string) => Effect.Effect<Option.Option<StoredUser>, ServiceUnavailableError>
    /** The user that acts through an API key. */
    readonly findByApiKey: (apiKeyId: ApiKeyId) => Effect.Effect<Option.Option<StoredUser>, ServiceUnavailableError>
    /** The user that is bound to an account. */
    readonly findByOidcAccount: (
      account: OidcAccount
    ) => Effect.Effect<Option.Option<StoredUser>, ServiceUnavailableError>
    /** A user of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: UserId
    ) => Effect.Effect<Option.Option<User>, ServiceUnavailableError>
    /** The organization's users, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: UserFilters,
      page: PageRequest
    ) => Effect.Effect<Page<User>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a user, calls `decide`, and stores the result with the permissions of the user's key in one transaction.
     * Changes of one organization run one after another: fails if no admin would be left. A change of the role and a
     * removal end the invitations that the user made. None if the organization has no such user.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: UserId,
      decide: (user: User) => Effect.Effect<ChangedUser, E>
    ) => Effect.Effect<Option.Option<ChangedUser>, E | ConflictError | ServiceUnavailableError>
    /**
     * Stores a session of a user. False if the user was removed, or if its password was changed after it was read.
     */
    readonly logIn: (stored: StoredUser, session: NewSession) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Binds a user to an account and stores a session of the user. A binding to another issuer is replaced. False if the
     * user was removed or is bound to another account of the issuer, or if the account is that of another user.
     */
    readonly logInWithOidc: (
      id: UserId,
      account: OidcAccount,
      session: NewSession
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Replaces the password that was read, and ends the tokens that set a password and all sessions of the user but the
     * one with this token hash. False if the password was changed after it was read.
     */
    readonly changePassword: (
      stored: StoredUser,
      passwordHash: Redacted.Redacted<string>,
      sessionHash: string
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Stores the token of a link that sets a password, and deletes expired tokens. False if the user has `max` valid ones.
     */
    readonly insertReset: (
      id: UserId,
      reset: StorableReset,
      max: number
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** The user of a valid token that sets a password. */
    readonly findByReset: (tokenHash: string) => Effect.Effect<Option.Option<StoredUser>, ServiceUnavailableError>
    /**
     * Replaces the password of a token's user, and ends all tokens and sessions of the user. False if the token was used
     * or has expired; of several concurrent calls only one succeeds.
     */
    readonly resetPassword: (
      tokenHash: string,
      passwordHash: Redacted.Redacted<string>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
