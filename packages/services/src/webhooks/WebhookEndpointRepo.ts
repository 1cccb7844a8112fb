import type { BadRequestError, ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EventType } from "@switchboard/domain/events/EventType"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type {
  WebhookDelivery,
  WebhookDeliveryId,
  WebhookDeliveryStatus,
  WebhookEndpointId,
  WebhookEndpointType,
  WebhookStats,
  WebhookStatus
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookFilters, WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A stored endpoint. Headers are encrypted. */
export interface StoredWebhookEndpoint {
  readonly id: WebhookEndpointId
  readonly organizationId: OrganizationId
  readonly type: WebhookEndpointType
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

/** The results of an endpoint's deliveries since it was created. */
export interface WebhookHealth {
  readonly delivered: number
  readonly failed: number
  readonly pending: number
  readonly retrying: number
  readonly attempts: number
  readonly attemptsSucceeded: number
  readonly averageLatencyMs: number
  readonly lastSuccessAt: DateTime.Utc | null
  readonly lastFailureAt: DateTime.Utc | null
  /** The time since which every attempt failed; null after a success. */
  readonly failingSince: DateTime.Utc | null
}

export interface WebhookEndpointWithHealth {
  readonly endpoint: StoredWebhookEndpoint
  readonly health: WebhookHealth
}

/** Filters of a list of endpoints; `search` matches name, description and URL. */
export interface WebhookEndpointFilter {
  readonly status?: WebhookStatus | undefined
  readonly search?: string | undefined
}

export interface WebhookDeliveryFilter {
  readonly status?: WebhookDeliveryStatus | undefined
  readonly event?: EventType | undefined
  /** The message that the events are about. */
  readonly messageId?: MessageId | undefined
}

/** An endpoint whose attempts fail, or that the service disabled. */
export interface FailingEndpoint {
  readonly organizationId: OrganizationId
  readonly id: WebhookEndpointId
  readonly name: string
  readonly isDisabled: boolean
  /** Since when every attempt failed, or when the endpoint was disabled. */
  readonly since: DateTime.Utc
}

/**
 * The result of a retry: ready, leased by a worker, the endpoint is not active, the delivery is a test, or there is no
 * such delivery.
 */
export type RetryResult = "ready" | "held" | "inactive" | "test" | "missing"

/** Stores webhook endpoints and their deliveries. Every method is one transaction. */
export class WebhookEndpointRepo extends Context.Tag("services/WebhookEndpointRepo")<
  WebhookEndpointRepo,
  {
    /** Stores an endpoint with its encrypted secret. Fails if the slug is in use. */
    readonly insert: (
      endpoint: StoredWebhookEndpoint,
      secret: Uint8Array
    ) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    /** An endpoint of the organization with its health. */
    readonly find: (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<Option.Option<WebhookEndpointWithHealth>, ServiceUnavailableError>
    /** The organization's endpoints, newest first. */
    readonly list: (
      organization: OrganizationId,
      filter: WebhookEndpointFilter,
      page: PageRequest
    ) => Effect.Effect<Page<WebhookEndpointWithHealth>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks an endpoint and stores the result of `change`. Pausing keeps pending deliveries; activating makes them
     * ready. Returns whether the endpoint existed.
     */
    readonly update: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      change: (endpoint: StoredWebhookEndpoint) => StoredWebhookEndpoint
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Deletes an endpoint with its deliveries and attempts. Returns whether it existed. */
    readonly remove: (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Replaces the secret. The replaced one also signs until `previousUntil`, as those before do until their own ends: at
     * most 10, without the one nearest its end. Returns whether the endpoint existed.
     */
    readonly replaceSecret: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      secret: Uint8Array,
      previousUntil: DateTime.Utc
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** The encrypted secrets that sign now, newest first. */
    readonly secrets: (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<ReadonlyArray<Uint8Array>, ServiceUnavailableError>
    /**
     * The number of endpoints of all organizations whose attempts fail, or that were disabled since `disabledSince`, and
     * the first `limit` of them, longest failing first.
     */
    readonly failing: (
      disabledSince: DateTime.Utc,
      limit: number
    ) => Effect.Effect<
      { readonly total: number; readonly first: ReadonlyArray<FailingEndpoint> },
      ServiceUnavailableError
    >
    /** An endpoint's deliveries with their attempts, newest first. */
    readonly deliveries: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      filter: WebhookDeliveryFilter,
      page: PageRequest
    ) => Effect.Effect<Page<WebhookDelivery>, BadRequestError | ServiceUnavailableError>
    /** A delivery of an endpoint with its attempts. */
    readonly findDelivery: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      delivery: WebhookDeliveryId
    ) => Effect.Effect<Option.Option<WebhookDelivery>, ServiceUnavailableError>
    /** Statistics of an endpoint. None if the organization has no such endpoint. */
    readonly stats: (
      organization: OrganizationId,
      id: WebhookEndpointId
    ) => Effect.Effect<Option.Option<WebhookStats>, ServiceUnavailableError>
    /** Stores a test delivery with its attempts, without counting it in the endpoint's health. */
    readonly insertTest: (
      organization: OrganizationId,
      delivery: WebhookDelivery
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes a delivery ready for one attempt now, regardless of its status. */
    readonly retry: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      delivery: WebhookDeliveryId
    ) => Effect.Effect<RetryResult, ServiceUnavailableError>
    /**
     * Makes the deliveries ready that failed since `since`, with all their retries, and adds deliveries of the events
     * since then that the endpoint missed while it was disabled. Returns their number. None if the endpoint is not
     * active.
     */
    readonly recover: (
      organization: OrganizationId,
      id: WebhookEndpointId,
      since: DateTime.Utc
    ) => Effect.Effect<Option.Option<number>, ServiceUnavailableError>
  }
>() {}
