import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A log-in as the store takes it. */
export interface StorableSession {
  /** The SHA-256 (hex) of its token. */
  readonly hash: string
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  /** The SHA-256 (hex) of the key's value that it was started with: it lives as long as that works. */
  readonly keyHash: string
  readonly createdAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** Where log-ins are kept, by the hash of their token alone. */
export class SessionRepo extends Context.Tag("services/SessionRepo")<
  SessionRepo,
  {
    readonly insert: (session: StorableSession) => Effect.Effect<void, ServiceUnavailableError>
    /** The hash of the key's value that the session was started with, if it is there and not over by the database's clock. */
    readonly findKeyHash: (hash: string) => Effect.Effect<Option.Option<string>, ServiceUnavailableError>
    readonly remove: (hash: string) => Effect.Effect<void, ServiceUnavailableError>
    /** Forgets those that are over, some a transaction, until all are gone; how many that was. */
    readonly deleteExpired: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
