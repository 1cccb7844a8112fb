import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailContent, EmailMetadata, MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"
import type { LeasedQueue, LeaseHistory, LeaseRequest } from "../queues/LeasedQueue.js"
import type { StoredAttachment } from "./MessageRepo.js"

/** A message that this worker holds until it settles it or the lease runs out. */
export interface TakenMessage extends LeaseHistory {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly queueId: string
  /** The state after it was taken: this attempt is counted already. */
  readonly state: MessageState
  readonly content: EmailContent
  readonly addressing: Omit<EmailMetadata, "deliveries">
  readonly attachments: ReadonlyArray<StoredAttachment>
  readonly categories: ReadonlyArray<string>
  readonly trackOpens: boolean
  /** When it was accepted, or its scheduled time: its age counts from here. */
  readonly dueSince: DateTime.Utc
  readonly createdAt: DateTime.Utc
  readonly traceParent: string | null
}

/** What is taken, and by whom. */
export interface TakeRequest extends LeaseRequest<OrganizationId> {
  /**
   * At most so many bytes of attachments, but one message however large it is; null for none at all. Messages without
   * attachments pass those that have no room.
   */
  readonly attachmentBytes: number | null
  /** Take only what has waited longer than a message may, to end it: without its attachments. */
  readonly expiredOnly: boolean
}

/** How a taken message goes on: `retryAt` null means that it needs no more work. */
export interface Settlement {
  readonly state: MessageState
  readonly retryAt: DateTime.Utc | null
}

/**
 * The messages that wait for a worker. An entry is leased by the database's clock, so that it comes back when its
 * worker dies. Every method is one transaction.
 */
export class DeliveryQueue extends Context.Tag("services/DeliveryQueue")<
  DeliveryQueue,
  LeasedQueue & {
    /**
     * Leases what is ready, oldest first within an organization and one organization after the other, counts the
     * attempt and moves the messages to `processing`.
     */
    readonly take: (request: TakeRequest) => Effect.Effect<ReadonlyArray<TakenMessage>, ServiceUnavailableError>
    /**
     * Stores what became of messages that this worker still holds, all in one transaction: `decide` sees the state as
     * it is now, under lock. What it no longer holds, or was deleted, is passed over.
     */
    readonly settle: (
      worker: string,
      done: ReadonlyArray<{
        readonly message: TakenMessage
        readonly decide: (state: MessageState) => Settlement
      }>
    ) => Effect.Effect<void, ServiceUnavailableError>
    /** Makes scheduled messages and retries whose time has come ready; how many that was. */
    readonly promote: Effect.Effect<number, ServiceUnavailableError>
  }
>() {}
