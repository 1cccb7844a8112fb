import { marketing } from "@switchboard/domain/messages/Categories"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type { EmailContent, EmailMetadata, MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime } from "effect"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { StoredAttachment } from "../MessageRepo.js"

/** A leased message. */
export interface TakenMessage extends LeaseHistory {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly queueId: string
  readonly takenAt: DateTime.Utc
  /** The state in which this attempt is counted. It is stored with the outcome, or before it for a long or repeated attempt. */
  readonly state: MessageState
  readonly content: EmailContent
  readonly addressing: Omit<EmailMetadata, "deliveries">
  readonly attachments: ReadonlyArray<StoredAttachment>
  readonly categories: ReadonlyArray<string>
  readonly trackOpens: boolean
  /** The time of acceptance, or the scheduled time. The message's age is measured from it. */
  readonly dueSince: DateTime.Utc
  readonly createdAt: DateTime.Utc
  readonly traceParent: string | null
}

/** A request to lease messages. */
export interface TakeRequest extends LeaseRequest<OrganizationId> {
  /**
   * The maximum total size of attachments in bytes, or null for messages without attachments only. One message is
   * leased regardless of its size. Messages without attachments overtake those over the limit.
   */
  readonly attachmentBytes: number | null
  /** Lease only messages older than the maximum age, without attachments, to fail them. */
  readonly expiredOnly: boolean
}

/**
 * The state of a message to store. `retryAt` is null if it needs no more attempts, and `held` if the worker still
 * attempts it.
 */
export interface Settlement {
  readonly state: MessageState
  readonly retryAt: DateTime.Utc | "held" | null
}

/** A leased message. `decide` is called under lock with its current state, in which this attempt is counted. */
export interface SettledMessage {
  readonly message: TakenMessage
  readonly decide: (state: MessageState) => Settlement
}

/** The queue of messages, fair between organizations. Settling a message also stores that it was `processing`. */
export class DeliveryQueue extends Context.Tag("services/DeliveryQueue")<
  DeliveryQueue,
  WorkQueue<TakenMessage, SettledMessage, TakeRequest>
>() {}

type Message = Pick<TakenMessage, "categories" | "content" | "state" | "trackOpens">

export const isMarketing = ({ categories }: Pick<Message, "categories">): boolean => categories.includes(marketing)

export const isTracked = ({ content, trackOpens }: Pick<Message, "content" | "trackOpens">): boolean =>
  trackOpens && content.html !== ""

/** Whether each recipient gets a separate mail. */
const hasMailForEach = (message: Pick<Message, "categories" | "content" | "trackOpens">): boolean =>
  isMarketing(message) || isTracked(message)

/** The envelope of the first mail of a message: all recipients, or the first one if each gets a separate mail. */
export const firstEnvelope = (
  message: Omit<Message, "state"> & { readonly state: Pick<Message["state"], "deliveries"> }
): ReadonlyArray<string> => {
  const recipients = message.state.deliveries.map(({ recipient }) => recipient)
  return hasMailForEach(message) ? recipients.slice(0, 1) : recipients
}

/**
 * The envelopes of an attempt: one for all recipients, or one for each if the mail differs by recipient. In that case
 * recipients that were not attempted yet go first, and deferred ones wait for another attempt.
 */
export const envelopesOf = (
  message: Message
): { readonly envelopes: ReadonlyArray<ReadonlyArray<string>>; readonly isFirstTry: boolean } => {
  const open = message.state.deliveries.filter(isOpen)
  if (!hasMailForEach(message)) {
    return { envelopes: [open.map(({ recipient }) => recipient)], isFirstTry: false }
  }
  const untried = open.filter(({ status }) => status === "pending")
  const isFirstTry = untried.length > 0
  return { envelopes: (isFirstTry ? untried : open).map(({ recipient }) => [recipient]), isFirstTry }
}
