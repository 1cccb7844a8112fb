import type { ApiKeyActivity, ApiKeyId, ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKey"
import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect } from "effect"

/** A stored request of a key. */
export interface KeyUse {
  /** UUID version 7: it sorts by the request's time. */
  readonly id: string
  readonly organizationId: OrganizationId
  readonly apiKeyId: ApiKeyId
  readonly method: string
  readonly path: string
  /** The operation's path with its parameters' names. */
  readonly route: string
  readonly status: number
  readonly latencyMs: number
  readonly ipAddress: string
  /** Milliseconds since 1970. */
  readonly at: number
}

/** Stores the requests that keys make. */
export class KeyActivityRepo extends Context.Tag("services/KeyActivityRepo")<
  KeyActivityRepo,
  {
    /**
     * Stores records in one transaction and skips ids that are stored already: after a lost connection a batch is
     * written again.
     */
    readonly insert: (uses: ReadonlyArray<KeyUse>) => Effect.Effect<void, ServiceUnavailableError>
    /** A key's requests, newest first. */
    readonly list: (
      organization: OrganizationId,
      id: ApiKeyId,
      page: PageRequest
    ) => Effect.Effect<Page<ApiKeyActivity>, BadRequestError | ServiceUnavailableError>
    /** Statistics of all stored requests of a key. */
    readonly stats: (
      organization: OrganizationId,
      id: ApiKeyId
    ) => Effect.Effect<Omit<ApiKeyStats, "lastUsedAt">, ServiceUnavailableError>
  }
>() {}
