import type {
  BadRequestError,
  ConflictError,
  PaymentRequiredError,
  ServiceUnavailableError
} from "@switchboard/domain/Errors"
import type { ThreadHints } from "@switchboard/domain/email/threads/ThreadMatching"
import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import {
  type Channel,
  type ConversationId,
  Message,
  type MessageAddressing,
  type MessageId,
  type messageFacts
} from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Context, DateTime, type Duration, type Effect, type Option, type Schema } from "effect"

/** A message as JSON text in its encoded form, as responses contain it. Reads that only return it do not decode it. */
export interface EncodedMessage {
  readonly id: MessageId
  readonly json: string
}

type Time =
  | "scheduledAt"
  | "createdAt"
  | "sentAt"
  | "deliveredAt"
  | "readAt"
  | "failedAt"
  | "lastAttemptAt"
  | "updatedAt"

const instant = (text: string) => DateTime.unsafeFromDate(new Date(text))
const instantOrNull = (text: string | null) => (text === null ? null : instant(text))

/** The fields of an encoded message. */
export const encodedFields = ({ json }: EncodedMessage): typeof Message.Encoded => JSON.parse(json)

/**
 * Decodes a message that the store encoded, without validation. Only its times differ from their encoded form.
 */
export const decodeMessage = ({ json }: EncodedMessage): Message => {
  const encoded: Omit<Message, Time> & Pick<typeof Message.Encoded, Time> = JSON.parse(json)
  const times = {
    scheduledAt: instantOrNull(encoded.scheduledAt),
    createdAt: instant(encoded.createdAt),
    sentAt: instantOrNull(encoded.sentAt),
    deliveredAt: instantOrNull(encoded.deliveredAt),
    readAt: instantOrNull(encoded.readAt),
    failedAt: instantOrNull(encoded.failedAt),
    lastAttemptAt: instantOrNull(encoded.lastAttemptAt),
    updatedAt: instant(encoded.updatedAt)
  }
  const message = { __proto__: Message.prototype, ...encoded, ...times }
  return message
}

/** The immutable fields of a message. */
export type MessageFacts = Schema.Struct.Type<typeof messageFacts>

/** An attachment with its content. */
export interface StoredAttachment {
  readonly filename: string
  readonly contentType: string
  readonly contentId: string | null
  readonly content: Uint8Array
}

/** The identity of a send, by which a repeat is recognized. */
export interface SendIdentity {
  /** The caller's idempotency key, and the SHA-256 (hex) of its request. */
  readonly idempotencyKey: {
    readonly key: string
    readonly fingerprint: string
  } | null
  /** The SHA-256 (hex) of the fields by which two sends without a key are the same. */
  readonly contentHash: string
  /** The time in which a send without a key counts as a repeat; zero disables the check. */
  readonly dedupeWindow: Duration.Duration
}

/** A message to store. The repository finds or creates its participants. */
export interface NewMessage extends Tracking {
  readonly facts: Omit<MessageFacts, "fromParticipantId" | "toParticipantIds">
  readonly state: MessageState
  readonly addressing: MessageAddressing
  /** The address or number of the sender. */
  readonly sender: { readonly address: string; readonly name?: string | undefined }
  /** All addresses or numbers without duplicates. For mail: to, then cc, then bcc. */
  readonly recipients: ReadonlyArray<string>
  readonly attachments: ReadonlyArray<StoredAttachment>
  /** Whether it waits behind the organization's other messages, with at least one turn in five. */
  readonly isBulk: boolean
  readonly identity: SendIdentity
  /** The W3C trace context of the accepting request, so that its delivery joins the same trace. */
  readonly traceParent: string | null
}

export interface Accepted {
  readonly message: Message
  /** Whether the message was accepted by an earlier send. */
  readonly replayed: boolean
}

/** A message with all that its mails are made from. */
export interface CompleteMessage extends Tracking {
  readonly message: Message
  /** The attachments of an outbound message. */
  readonly attachments: ReadonlyArray<StoredAttachment>
}

/** Filters of a list of messages, combined with AND. */
export interface MessageFilter {
  readonly channel?: Channel | undefined
  readonly status?: MessageStatus | undefined
  readonly direction?: Message["direction"] | undefined
  readonly conversationId?: ConversationId | undefined
  /** The sender or a recipient. */
  readonly participantId?: ParticipantId | undefined
  /** The address or phone number of a recipient. */
  readonly recipient?: string | undefined
  readonly externalId?: string | undefined
  readonly referenceId?: string | undefined
  readonly tag?: string | undefined
  /** A part of the subject, of a recipient, or of `externalId` or `referenceId`, case-insensitive. */
  readonly search?: string | undefined
  /** Accepted at this time or later. */
  readonly startDate?: DateTime.Utc | undefined
  /** Accepted at this time or earlier. */
  readonly endDate?: DateTime.Utc | undefined
}

/** Stores messages. Every method is one transaction. */
export class MessageRepo extends Context.Tag("services/MessageRepo")<
  MessageRepo,
  {
    /**
     * Stores idempotency record, message, participants, usage, queue entry and events in one transaction, which
     * concurrent calls share. A repeated send returns the earlier message. Fails with a conflict if the key was used
     * for another request, or if its message was deleted. The participants of a message in a conversation join the
     * conversation.
     */
    readonly accept: (
      message: NewMessage
    ) => Effect.Effect<Accepted, ConflictError | PaymentRequiredError | ServiceUnavailableError>
    /**
     * Accepts a reply in the thread and conversation of its parent. A parent without a thread starts one together with
     * the reply; a rejected send starts none. None if the organization has no such parent.
     */
    readonly acceptReply: (
      message: NewMessage,
      parent: MessageId
    ) => Effect.Effect<Option.Option<Accepted>, ConflictError | PaymentRequiredError | ServiceUnavailableError>
    /** The earlier message that this send repeats, if any. */
    readonly findReplay: (
      organization: OrganizationId,
      identity: SendIdentity
    ) => Effect.Effect<Option.Option<Message>, ConflictError | ServiceUnavailableError>
    /** The message that a mail with these Message-IDs answers. */
    readonly findParent: (
      organization: OrganizationId,
      hints: Pick<ThreadHints, "inReplyTo" | "references">
    ) => Effect.Effect<Option.Option<MessageId>, ServiceUnavailableError>
    /** A message of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<Option.Option<Message>, ServiceUnavailableError>
    /** The same in its encoded form. */
    readonly findEncoded: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<Option.Option<EncodedMessage>, ServiceUnavailableError>
    /** A message of the organization with the contents of its attachments. */
    readonly findComplete: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<Option.Option<CompleteMessage>, ServiceUnavailableError>
    /** The organization's messages, newest first. */
    readonly list: (
      organization: OrganizationId,
      filter: MessageFilter,
      page: PageRequest
    ) => Effect.Effect<Page<EncodedMessage>, BadRequestError | ServiceUnavailableError>
    /**
     * Locks a message, calls `decide`, and stores the new state with an event for each new history entry. Blocks
     * recipients that do not exist or complained. A finished message leaves the queue. None if there is no such
     * message.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: MessageId,
      decide: (state: MessageState) => Effect.Effect<MessageState, E>
    ) => Effect.Effect<Option.Option<Message>, E | ServiceUnavailableError>
    /**
     * Moves a message that still waits for its time to another time. The message is unchanged if it is no longer
     * scheduled. None if there is no such message.
     */
    readonly reschedule: (
      organization: OrganizationId,
      id: MessageId,
      scheduledAt: DateTime.Utc
    ) => Effect.Effect<Option.Option<Message>, ServiceUnavailableError>
    /**
     * Deletes content and recipients and removes the message from the queue. Idempotency record, usage and events stay.
     * Returns whether the message existed.
     */
    readonly remove: (organization: OrganizationId, id: MessageId) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
