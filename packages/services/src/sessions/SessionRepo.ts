import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A session as stored. */
export interface StorableSession {
  /** The SHA-256 (hex) of its token. */
  readonly hash: string
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  /** The SHA-256 (hex) of the API key that started it. The session is valid while that value is. */
  readonly keyHash: string
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** A session to store for a key that the store finds. */
export type NewSession = Pick<StorableSession, "hash" | "createdAt" | "expiresAt">

/** The part of a session that requests need. */
export type StoredSession = Pick<StorableSession, "keyHash" | "expiresAt">

/** The token of a log-in link as stored. */
export interface StorableLoginToken {
  /** The SHA-256 (hex) of the token. */
  readonly hash: string
  readonly apiKeyId: ApiKeyId
  readonly expiresAt: DateTime.Utc
}

/** A log-in that has begun at a provider of OpenID Connect, as stored. */
export interface StorableOidcLogin {
  /** The SHA-256 (hex) of the parameter `state`. */
  readonly stateHash: string
  /** The SHA-256 (hex) of the token of the browser in which it began. */
  readonly browserHash: string
  readonly expiresAt: DateTime.Utc
}

/** Stores sessions by the hash of their token. */
export class SessionRepo extends Context.Tag("services/SessionRepo")<
  SessionRepo,
  {
    /** Stores a session. */
    readonly insert: (session: StorableSession) => Effect.Effect<void, ServiceUnavailableError>
    /** The session with this token hash, if it exists and has not expired by the database's clock. */
    readonly find: (hash: string) => Effect.Effect<Option.Option<StoredSession>, ServiceUnavailableError>
    /**
     * Stores the token of a log-in link for the present value of an API key, and deletes expired tokens. False if the key
     * has ended, belongs to no organization or is that of a user.
     */
    readonly insertLoginToken: (token: StorableLoginToken) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Exchanges the token of a log-in link for a session of its key. Returns the key's hash. None if the token is unknown,
     * was used before or has expired by the database's clock; of several concurrent exchanges only one succeeds.
     */
    readonly exchangeLoginToken: (
      tokenHash: string,
      session: NewSession
    ) => Effect.Effect<Option.Option<string>, ServiceUnavailableError>
    /** Stores a log-in that begins, and deletes expired ones. */
    readonly insertOidcLogin: (login: StorableOidcLogin) => Effect.Effect<void, ServiceUnavailableError>
    /**
     * Ends a log-in in the browser in which it began. False if it is unknown, ended before, began in another browser or
     * has expired by the database's clock; of several concurrent calls only one succeeds.
     */
    readonly endOidcLogin: (
      login: Pick<StorableOidcLogin, "stateHash" | "browserHash">
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Deletes the session with this token hash. */
    readonly remove: (hash: string) => Effect.Effect<void, ServiceUnavailableError>
    /** Deletes expired sessions in batches. Returns their number. */
    readonly deleteExpired: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
