import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Message } from "@switchboard/domain/messages/Message"
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
import { Context, type DateTime, type Duration, type Effect, type Stream } from "effect"
import type { NewEvent } from "../events/NewEvent.js"
import type { StoredEvent } from "../events/StoredEvent.js"
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
export interface TakenWebhook {
  readonly organizationId: OrganizationId
  readonly deliveryId: WebhookDeliveryId
  /** How often a worker was lost while it held this delivery. */
  readonly takeovers: number
  /** The number of the attempt to be made, 1 for the first. */
  readonly attempt: number
  /** How many waits of the schedule are used up. */
  readonly retriesUsed: number
  readonly trigger: WebhookTrigger
  readonly target: WebhookTarget
  readonly event: StoredEvent
  /** The message that the event is about, as it is now; null if there is none, or it was deleted since. */
  readonly message: Message | null
  /** The body of the first attempt, which later attempts repeat; null before it. */
  readonly body: string | null
}

/** How a taken delivery goes on. */
export interface WebhookSettlement {
  /** Null if none was made. */
  readonly attempt: Omit<WebhookAttempt, "attempt" | "trigger"> | null
  /** What was posted; null if nothing was. */
  readonly body: string | null
  /** What the attempt says of the endpoint; null if it says nothing. */
  readonly result: WebhookResult | null
  readonly status: WebhookDeliveryStatus
  readonly retriesUsed: number
  /** Null means that it needs no more work. */
  readonly retryAt: DateTime.Utc | null
}

/** What is taken, and by whom. */
export interface TakeWebhooks {
  readonly worker: string
  readonly lease: Duration.Duration
  readonly limit: number
  /** At most this many for one endpoint. */
  readonly perEndpoint: number
  /** Endpoints for which the worker already holds enough. */
  readonly saturated: ReadonlyArray<WebhookEndpointId>
}

/**
 * The deliveries that wait for a worker, leased by the database's clock like messages. Every method is one
 * transaction.
 */
export class WebhookQueue extends Context.Tag("services/WebhookQueue")<
  WebhookQueue,
  {
    /** Leases what is ready, the oldest first within an endpoint and one endpoint after the other. */
    readonly take: (request: TakeWebhooks) => Effect.Effect<ReadonlyArray<TakenWebhook>, ServiceUnavailableError>
    /**
     * Stores what became of deliveries that this worker still holds, and how their endpoints answered. Endpoints that
     * are gone, or have failed for too long, are disabled, and `tell` makes the event that says so.
     */
    readonly settle: (
      worker: string,
      done: ReadonlyArray<{ readonly taken: TakenWebhook; readonly settlement: WebhookSettlement }>,
      tell: (endpoint: WebhookEndpointWithHealth) => Effect.Effect<NewEvent>
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Keeps what the worker holds for another lease. */
    readonly renew: (
      worker: string,
      deliveries: ReadonlyArray<string>,
      lease: Duration.Duration
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes what lost workers held ready again; how many that was. */
    readonly recover: Effect.Effect<number, ServiceUnavailableError>
    /** Makes retries whose time has come ready; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
    /** Erases what ended longer ago than that; how many attempts and deliveries that was. */
    readonly forget: (kept: Duration.Duration) => Effect.Effect<number, ServiceUnavailableError>
    /** Says, without saying what, that something became ready. Ends never; survives a lost connection. */
    readonly woken: Stream.Stream<void>
  }
>() {}
