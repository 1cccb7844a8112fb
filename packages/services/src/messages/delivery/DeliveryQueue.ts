import type { EmailContent, EmailMetadata, MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime } from "effect"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { StoredAttachment } from "../MessageRepo.js"

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

/** A message that was delivered, or not: `decide` sees its state as it is now, under lock. */
export interface SettledMessage {
  readonly message: TakenMessage
  readonly decide: (state: MessageState) => Settlement
}

/** The messages that wait for a worker: organizations take turns. A take moves its messages to `processing`. */
export class DeliveryQueue extends Context.Tag("services/DeliveryQueue")<
  DeliveryQueue,
  WorkQueue<TakenMessage, SettledMessage, TakeRequest>
>() {}
