import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type {
  WebhookAttempt,
  WebhookDeliveryId,
  WebhookDeliveryStatus,
  WebhookEndpointId,
  WebhookTrigger
} from "@switchboard/domain/webhooks/WebhookEndpoint"
import type { WebhookResult } from "@switchboard/domain/webhooks/WebhookOutcome"
import type { WebhookRateLimit } from "@switchboard/domain/webhooks/WebhookRequests"
import { Context, type DateTime, type Duration, type Effect } from "effect"
import type { NewEvent } from "../events/NewEvent.js"
import type { StoredEvent } from "../events/StoredEvent.js"
import type { LeasedQueue, LeaseHistory, LeaseRequest } from "../queues/LeasedQueue.js"
import type { WebhookEndpointWithHealth } from "./WebhookEndpointRepo.js"

/** Where a delivery goes, as it is at this attempt: headers and secrets are sealed. */
export interface WebhookTarget {
  readonly id: WebhookEndpointId
  readonly url: string
  readonly headers: Uint8Array | null
  /** Those that sign now, the newest first. */
  readonly secrets: ReadonlyArray<Uint8Array>
  readonly rateLimit: WebhookRateLimit
}

/** A delivery that this worker holds until it settles it or the lease runs out. */
export interface TakenWebhook extends LeaseHistory {
  readonly organizationId: OrganizationId
  readonly deliveryId: WebhookDeliveryId
  /** The number of the attempt to be made, 1 for the first. */
  readonly attempt: number
  /** How many waits of the schedule are used up. */
  readonly retriesUsed: number
  readonly trigger: WebhookTrigger
  readonly target: WebhookTarget
  readonly event: StoredEvent
  /** What every attempt posts, built when the delivery was taken first; null where its message was deleted. */
  readonly body: string | null
}

/** How a taken delivery goes on. */
export interface WebhookSettlement {
  /** Null if none was made. */
  readonly attempt: Omit<WebhookAttempt, "attempt" | "trigger"> | null
  /** What the attempt says of the endpoint; null if it says nothing. */
  readonly result: WebhookResult | null
  readonly status: WebhookDeliveryStatus
  readonly retriesUsed: number
  /** Null means that it needs no more work. */
  readonly retryAt: DateTime.Utc | null
}

const unstorable = "The answer can't be stored"

/** The same without the text that its endpoint, or the network, answered with. */
export const withoutAnswer = ({ attempt, ...settlement }: WebhookSettlement): WebhookSettlement => ({
  ...settlement,
  attempt:
    attempt === null
      ? null
      : { ...attempt, responseBody: undefined, ...(attempt.error === undefined ? {} : { error: unstorable }) }
})

/**
 * The deliveries that wait for a worker, leased by the database's clock like messages. Every method is one
 * transaction.
 */
export class WebhookQueue extends Context.Tag("services/WebhookQueue")<
  WebhookQueue,
  LeasedQueue & {
    /** Leases what is ready, the oldest first within an endpoint and one endpoint after the other. */
    readonly take: (
      request: LeaseRequest<WebhookEndpointId>
    ) => Effect.Effect<ReadonlyArray<TakenWebhook>, ServiceUnavailableError>
    /**
     * Stores what became of deliveries that this worker still holds, and how their endpoints answered. Endpoints that
     * are gone, or have failed for too long, are disabled, and `tell` makes the event that says so.
     */
    readonly settle: (
      worker: string,
      done: ReadonlyArray<{ readonly taken: TakenWebhook; readonly settlement: WebhookSettlement }>,
      tell: (endpoint: WebhookEndpointWithHealth) => Effect.Effect<NewEvent>
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes retries whose time has come ready; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
    /** Erases what ended longer ago than that; how many attempts and deliveries that was. */
    readonly forget: (kept: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
