import type { ApiKey, ApiKeyFilters, ApiKeyId, ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NewEvent } from "../events/NewEvent.js"
import type { StorableApiKey } from "./NewApiKey.js"

/** The result of a change to a key. */
export interface ChangedApiKey {
  /** The key after the change. */
  readonly apiKey: ApiKey
  /** The hash of the new value, and the end of the replaced value's grace period; null if the value does not change. */
  readonly rotated: { readonly hash: string; readonly previousUntil: DateTime.Utc | null } | null
  /** Whether the key is removed for good. */
  readonly removed: boolean
  readonly events: ReadonlyArray<NewEvent>
}

/** Stores API keys by their hash. Removed keys are never returned; those of users only by `findActive`. */
export class ApiKeyRepo extends Context.Tag("services/ApiKeyRepo")<
  ApiKeyRepo,
  {
    /**
     * The identity of the key with this SHA-256 (hex), if it exists, is active and has not expired by the database's
     * clock. A replaced value is found during its grace period.
     */
    readonly findActive: (hash: string) => Effect.Effect<Option.Option<ApiKeyIdentity>, ServiceUnavailableError>
    /** Stores a key and its events in one transaction. */
    readonly insert: (
      key: StorableApiKey,
      events: ReadonlyArray<NewEvent>
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** A key of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: ApiKeyId
    ) => Effect.Effect<Option.Option<ApiKey>, ServiceUnavailableError>
    /** The organization's keys, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ApiKeyFilters,
      page: PageRequest
    ) => Effect.Effect<Page<ApiKey>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a key, calls `decide`, and stores the result with its events in one transaction. None if the organization
     * has no such key.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: ApiKeyId,
      decide: (apiKey: ApiKey) => Effect.Effect<ChangedApiKey, E>
    ) => Effect.Effect<Option.Option<ChangedApiKey>, E | ServiceUnavailableError>
    /** The keys of all organizations and those without one, newest first. */
    readonly listAll: Effect.Effect<ReadonlyArray<ApiKey>, ServiceUnavailableError>
    /** Removes a key of any organization and stores its events. Returns whether the key existed. */
    readonly revoke: (
      id: ApiKeyId,
      makeEvents: (apiKey: ApiKey) => Effect.Effect<ReadonlyArray<NewEvent>>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Stores the times at which keys were last used. */
    readonly touch: (
      used: ReadonlyArray<{ readonly id: ApiKeyId; readonly at: DateTime.Utc }>
    ) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
