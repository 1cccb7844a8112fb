import type { ApiKeyId } from "@switchboard/domain/apiKeys/ApiKey"
import type { ApiKeyActivity, ApiKeyStats } from "@switchboard/domain/apiKeys/ApiKeyActivity"
import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Duration, type Effect } from "effect"

/** A request that a key made, as it is stored. */
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

/** Where it is kept what keys were used for. */
export class KeyActivityRepo extends Context.Tag("services/KeyActivityRepo")<
  KeyActivityRepo,
  {
    /** Keeps what is not kept yet, in one transaction: a batch may be written again when nobody knows whether it was. */
    readonly insert: (uses: ReadonlyArray<KeyUse>) => Effect.Effect<void, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      id: ApiKeyId,
      page: PageRequest
    ) => Effect.Effect<Page<ApiKeyActivity>, ServiceUnavailableError>
    /** Over all that is kept. */
    readonly stats: (
      organization: OrganizationId,
      id: ApiKeyId
    ) => Effect.Effect<Omit<ApiKeyStats, "lastUsedAt">, ServiceUnavailableError>
    /** Forgets what is older than this, some a transaction, until all is gone; how much that was. */
    readonly forget: (kept: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
