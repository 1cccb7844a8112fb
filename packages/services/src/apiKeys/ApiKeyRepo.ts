import type { ApiKey, ApiKeyId, ApiKeyIdentity } from "@switchboard/domain/apiKeys/ApiKey"
import type { ApiKeyFilters } from "@switchboard/domain/apiKeys/ApiKeyRequests"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NewEvent } from "../events/NewEvent.js"
import type { StorableApiKey } from "./NewApiKey.js"

/** What becomes of a key. */
export interface ChangedApiKey {
  /** As it is from now on. */
  readonly apiKey: ApiKey
  /** The hash of its new value, and until when the present one still works. Null leaves the value as it is. */
  readonly rotated: { readonly hash: string; readonly previousUntil: DateTime.Utc | null } | null
  /** Whether it is gone for good. */
  readonly removed: boolean
  readonly events: ReadonlyArray<NewEvent>
}

/** Where API keys are kept, by their hash alone. Keys that were removed are in none of the answers. */
export class ApiKeyRepo extends Context.Tag("services/ApiKeyRepo")<
  ApiKeyRepo,
  {
    /**
     * Who the key with this SHA-256 (hex) speaks for, if it exists, is active and has not expired by the database's
     * clock. A value before the last rotation is found until its grace is over.
     */
    readonly findActive: (hash: string) => Effect.Effect<Option.Option<ApiKeyIdentity>, ServiceUnavailableError>
    /** Stores a key and its events, or none of them. */
    readonly insert: (
      key: StorableApiKey,
      events: ReadonlyArray<NewEvent>
    ) => Effect.Effect<void, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: ApiKeyId
    ) => Effect.Effect<Option.Option<ApiKey>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ApiKeyFilters,
      page: PageRequest
    ) => Effect.Effect<Page<ApiKey>, ServiceUnavailableError>
    /**
     * Decides what becomes of a key while nobody else changes it, and writes that with its events, or nothing. None if
     * the organization has no such key.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: ApiKeyId,
      decide: (apiKey: ApiKey) => Effect.Effect<ChangedApiKey, E>
    ) => Effect.Effect<Option.Option<ChangedApiKey>, E | ServiceUnavailableError>
    /** Of all organizations and of none, newest first. */
    readonly listAll: Effect.Effect<ReadonlyArray<ApiKey>, ServiceUnavailableError>
    /** Removes a key, whosesoever it is, and writes what is told of it; whether it existed. */
    readonly revoke: (
      id: ApiKeyId,
      tell: (apiKey: ApiKey) => Effect.Effect<ReadonlyArray<NewEvent>>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Remembers when keys were last used. */
    readonly touch: (
      used: ReadonlyArray<{ readonly id: ApiKeyId; readonly at: DateTime.Utc }>
    ) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
