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
import type { StoredEvent } from "../../events/StoredEvent.js"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"

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

/** A taken delivery, and how it goes on. */
export interface SettledWebhook {
  readonly taken: TakenWebhook
  readonly settlement: WebhookSettlement
}

/**
 * The deliveries that wait for a worker: endpoints take turns. Outcomes count for the health of their endpoints; those
 * that are gone, or have failed for too long, are disabled.
 */
export class WebhookQueue extends Context.Tag("services/WebhookQueue")<
  WebhookQueue,
  WorkQueue<TakenWebhook, SettledWebhook, LeaseRequest<WebhookEndpointId>> & {
    /** Erases what ended longer ago than that; how many attempts and deliveries that was. */
    readonly forget: (kept: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
