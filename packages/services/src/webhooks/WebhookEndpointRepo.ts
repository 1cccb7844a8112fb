import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type {
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryStatus,
  WebhookEndpointId,
  WebhookStats,
  WebhookStatus
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookFilters, WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** An endpoint as it is stored: its secrets and headers are sealed. */
export interface StoredWebhookEndpoint {
  readonly id: WebhookEndpointId
  readonly organizationId: OrganizationId
  readonly name: string
  readonly slug: string
  readonly description: string | null
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly headers: Uint8Array | null
  readonly filters: WebhookFilters
  readonly rateLimit: WebhookRateLimit
  readonly priority: number
  readonly status: WebhookStatus
  readonly testMode: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
  readonly createdBy: string | null
  readonly lastModifiedBy: string | null
}

/** How an endpoint's deliveries went since it was made. */
export interface WebhookHealth {
  readonly delivered: number
  readonly failed: number
  readonly pending: number
  readonly averageLatencyMs: number
  readonly lastSuccessAt: DateTime.Utc | null
  readonly lastFailureAt: DateTime.Utc | null
}

export interface WebhookEndpointWithHealth {
  readonly endpoint: StoredWebhookEndpoint
  readonly health: WebhookHealth
}

/** What a list of endpoints may be narrowed to; `search` looks into name, description and URL. */
export interface WebhookEndpointFilter {
  readonly status?: WebhookStatus | undefined
  readonly search?: string | undefined
}

export interface WebhookDeliveryFilter {
  readonly status?: WebhookDeliveryStatus | undefined
  readonly event?: EventType | undefined
}

/**
 * Whether a delivery is ready for another attempt: a worker may hold it just now, its endpoint may not be active, it may
 * be a test, or there may be none.
 */
export type RetryResult = "ready" | "held" | "inactive" | "test" | "missing"

/** Where subscriptions and their deliveries are kept. Every method is one transaction. */
export class WebhookEndpointRepo extends Context.Tag("services/WebhookEndpointRepo")<
  WebhookEndpointRepo,
  {
    /** The slug is unique in its organization: one that is taken is a conflict. */
    readonly insert: (
      endpoint: StoredWebhookEndpoint,
      secret: Uint8Array
    ) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<Option.Option<WebhookEndpointWithHealth>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filter: WebhookEndpointFilter,
      page: PageRequest
    ) => Effect.Effect<Page<WebhookEndpointWithHealth>, ServiceUnavailableError>
    /**
     * Locks the endpoint and stores what `change` makes of it. One that begins to pause keeps what is pending; one
     * that becomes active again gets it at once. Whether it existed.
     */
    readonly update: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      change: (endpoint: StoredWebhookEndpoint) => StoredWebhookEndpoint
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Erases the endpoint with its deliveries and their attempts; whether it existed. */
    readonly remove: (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Puts a new secret in place; the one before goes on signing until then. Whether the endpoint existed. */
    readonly replaceSecret: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      secret: Uint8Array,
      previousUntil: DateTime.Utc
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** The sealed secrets that sign now, the newest first. */
    readonly secrets: (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<ReadonlyArray<Uint8Array>, ServiceUnavailableError>
    /** An endpoint's deliveries with their attempts, newest first. */
    readonly deliveries: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      filter: WebhookDeliveryFilter,
      page: PageRequest
    ) => Effect.Effect<Page<WebhookDelivery>, ServiceUnavailableError>
    readonly findDelivery: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      delivery: WebhookDeliveryId
    ) => Effect.Effect<Option.Option<WebhookDelivery>, ServiceUnavailableError>
    /** None if there is no such endpoint. */
    readonly stats: (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<Option.Option<WebhookStats>, ServiceUnavailableError>
    /** Keeps a delivery that was made as a test, with its attempts. The endpoint's health is none of its business. */
    readonly insertTest: (
      organization: OrganizationId,
      delivery: WebhookDelivery
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes a delivery ready for one attempt now, however it ended before. */
    readonly retry: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      delivery: WebhookDeliveryId
    ) => Effect.Effect<RetryResult, ServiceUnavailableError>
    /**
     * Makes ready, with the whole schedule before them, the deliveries that failed since then, and the events since
     * then that the endpoint subscribes to and never heard of, since it was disabled; how many they are. None if the
     * endpoint is not active.
     */
    readonly recover: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      since: DateTime.Utc
    ) => Effect.Effect<Option.Option<number>, ServiceUnavailableError>
  }
>() {}
