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
import { Context, type DateTime } from "effect"
import type { StoredEvent } from "../../events/StoredEvent.js"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"

/** The endpoint of a delivery at the time of the attempt. Headers and secrets are encrypted. */
export interface WebhookTarget {
  readonly id: WebhookEndpointId
  readonly url: string
  readonly headers: Uint8Array | null
  /** The secrets that sign now, newest first. */
  readonly secrets: ReadonlyArray<Uint8Array>
  readonly rateLimit: WebhookRateLimit
}

/** A leased delivery. */
export interface TakenWebhook extends LeaseHistory {
  readonly organizationId: OrganizationId
  readonly deliveryId: WebhookDeliveryId
  /** The number of the attempt to make, 1 for the first. */
  readonly attempt: number
  /** The number of retries made. */
  readonly retriesUsed: number
  readonly trigger: WebhookTrigger
  readonly target: WebhookTarget
  readonly event: StoredEvent
  /** The body of every attempt, built at the first lease; null if the message was deleted before that. */
  readonly body: string | null
}

/** The outcome of a leased delivery. */
export interface WebhookSettlement {
  /** Null if no attempt was made. */
  readonly attempt: Omit<WebhookAttempt, "attempt" | "trigger"> | null
  /** The result for the endpoint's health; null if there is none. */
  readonly result: WebhookResult | null
  readonly status: Exclude<WebhookDeliveryStatus, "retrying">
  readonly retriesUsed: number
  /** Null if it needs no more attempts. */
  readonly retryAt: DateTime.Utc | null
}

const unstorable = "The response can't be stored"

/** The settlement without the response text, for text that can't be stored. */
export const withoutResponse = ({ attempt, ...settlement }: WebhookSettlement): WebhookSettlement => ({
  ...settlement,
  attempt:
    attempt === null
      ? null
      : {
          ...attempt,
          responseHeaders: undefined,
          responseBody: undefined,
          ...(attempt.error === undefined ? {} : { error: unstorable })
        }
})

/** A leased delivery with its outcome. */
export interface SettledWebhook {
  readonly taken: TakenWebhook
  readonly settlement: WebhookSettlement
}

/**
 * The queue of webhook deliveries, fair between endpoints. Outcomes count in the health of their endpoints; endpoints
 * that are gone, or have failed for too long, are disabled.
 */
export class WebhookQueue extends Context.Tag("services/WebhookQueue")<
  WebhookQueue,
  WorkQueue<TakenWebhook, SettledWebhook, LeaseRequest<WebhookEndpointId>>
>() {}
