import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import { marketing } from "@switchboard/domain/messages/Categories"
import { isOpen } from "@switchboard/domain/messages/delivery/Delivery"
import type {
  EmailAddressing,
  EmailContent,
  MessageId,
  SmsAddressing,
  WhatsAppAddressing
} from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { SmsContent } from "@switchboard/domain/sms/SmsContent"
import type { WhatsAppContent } from "@switchboard/domain/whatsapp/WhatsAppContent"
import { Context, type DateTime } from "effect"
import type { PausedDomain } from "../../queues/PauseRepo.js"
import type { LeaseHistory, LeaseRequest, WorkQueue } from "../../queues/WorkQueue.js"
import type { StoredAttachment } from "../MessageRepo.js"

/** The fields of a leased message of any channel. */
interface Taken extends LeaseHistory, Tracking {
  readonly organizationId: OrganizationId
  readonly messageId: MessageId
  readonly queueId: string
  readonly takenAt: DateTime.Utc
  /** The state in which this attempt is counted. It is stored with the outcome, or before it for a long or repeated attempt. */
  readonly state: MessageState
  readonly attachments: ReadonlyArray<StoredAttachment>
  readonly categories: ReadonlyArray<string>
  /** The time of acceptance, or the scheduled time. The message's age is measured from it. */
  readonly dueSince: DateTime.Utc
  readonly createdAt: DateTime.Utc
  readonly traceParent: string | null
}

/** The content and addressing of a message, by its channel. */
export type MessageParts =
  | { readonly channel: "email"; readonly content: EmailContent; readonly addressing: EmailAddressing }
  | { readonly channel: "sms"; readonly content: SmsContent; readonly addressing: SmsAddressing }
  | { readonly channel: "whatsapp"; readonly content: WhatsAppContent; readonly addressing: WhatsAppAddressing }

/** The channels that messages are sent over. */
export type SendingChannel = MessageParts["channel"]

/** A leased message of a channel. */
export type TakenOf<Channel extends SendingChannel> = Taken & Extract<MessageParts, { readonly channel: Channel }>

/** A leased message. */
export type TakenMessage = Taken & MessageParts

/** A request to lease messages. */
export interface TakeRequest extends LeaseRequest<OrganizationId> {
  /**
   * The maximum total size of attachments in bytes, or null for messages without attachments only. One message is
   * leased regardless of its size. Messages without attachments overtake those over the limit.
   */
  readonly attachmentBytes: number | null
  /** Lease only messages older than the maximum age, without attachments, to fail them. */
  readonly expiredOnly: boolean
  /** Domains whose mail is not leased: it waits for the end of their pause, if they are still paused. */
  readonly pausedDomains: ReadonlyArray<PausedDomain>
}

/** The provider's ids of the text to one recipient, one for each segment. */
export interface SentIds {
  readonly recipient: string
  readonly providerMessageIds: ReadonlyArray<string>
}

/**
 * The state of a message to store. `retryAt` is null if it needs no more attempts, and `held` if the worker still
 * attempts it.
 */
export interface Settlement {
  /** Null if nothing was attempted: the state remains as it was when the message was leased. */
  readonly state: MessageState | null
  /** The provider's ids of what an attempt sent, by which receipts find the message. */
  readonly sent?: ReadonlyArray<SentIds> | undefined
  readonly retryAt: DateTime.Utc | "held" | null
}

/** A leased message. `decide` is called under lock with its current state, in which this attempt is counted. */
export interface SettledMessage {
  readonly message: TakenMessage
  readonly decide: (state: MessageState) => Settlement
}

/**
 * The queue of each channel, fair between organizations: a provider that is down holds up its channel only. Settling a
 * message also stores that it was `processing`.
 */
export class DeliveryQueues extends Context.Tag("services/DeliveryQueues")<
  DeliveryQueues,
  { readonly [Channel in SendingChannel]: WorkQueue<TakenMessage, SettledMessage, TakeRequest> }
>() {}

type Mail = Pick<TakenOf<"email">, "categories" | "content" | "state" | keyof Tracking>

export const isMarketing = ({ categories }: Pick<Mail, "categories">): boolean => categories.includes(marketing)

/** Whether requests of a mail's recipients are recorded. Only HTML is tracked. */
export const isTracked = ({ content, trackClicks, trackOpens }: Pick<Mail, "content" | keyof Tracking>): boolean =>
  (trackOpens || trackClicks) && content.html !== ""

/** Whether each recipient gets a separate mail. */
const hasMailForEach = (message: Omit<Mail, "state">): boolean => isMarketing(message) || isTracked(message)

/** The envelope of the first mail of a message: all recipients, or the first one if each gets a separate mail. */
export const firstEnvelope = (
  message: Omit<Mail, "state"> & { readonly state: Pick<Mail["state"], "deliveries"> }
): ReadonlyArray<string> => {
  const recipients = message.state.deliveries.map(({ recipient }) => recipient)
  return hasMailForEach(message) ? recipients.slice(0, 1) : recipients
}

/** The recipients of each send of an attempt. */
export interface Envelopes {
  readonly envelopes: ReadonlyArray<ReadonlyArray<string>>
  /** Whether each recipient is attempted for the first time. */
  readonly isFirstTry: boolean
}

/** The recipients of an attempt: recipients without an attempt, or else the deferred ones. */
const attempted = ({ deliveries }: MessageState) => {
  const open = deliveries.filter(isOpen)
  const untried = open.filter(({ status }) => status === "pending")
  const isFirstTry = untried.length > 0
  return { recipients: (isFirstTry ? untried : open).map(({ recipient }) => recipient), isFirstTry }
}

/** One envelope for each recipient of an attempt. */
export const envelopeForEach = (state: MessageState): Envelopes => {
  const { isFirstTry, recipients } = attempted(state)
  return { envelopes: recipients.map((recipient) => [recipient]), isFirstTry }
}

/** The envelopes of a mail: one for all recipients of an attempt, or one for each if the mail differs by recipient. */
export const envelopesOf = (message: Mail): Envelopes => {
  if (hasMailForEach(message)) return envelopeForEach(message.state)
  const { isFirstTry, recipients } = attempted(message.state)
  return { envelopes: [recipients], isFirstTry }
}
