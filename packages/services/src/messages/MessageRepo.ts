import type { ConflictError, PaymentRequiredError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailAddress, Mailbox } from "@switchboard/domain/email/EmailAddress"
import type {
  Channel,
  ConversationId,
  EmailMetadata,
  Message,
  MessageId,
  messageFacts
} from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { MessageStatus } from "@switchboard/domain/messages/state/MessageStatus"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { ParticipantId } from "@switchboard/domain/participants/Participant"
import { Context, type DateTime, type Duration, type Effect, type Option, type Schema } from "effect"

/** What never changes about a message. */
export type MessageFacts = Schema.Struct.Type<typeof messageFacts>

/** A file that goes with a message, decoded. */
export interface StoredAttachment {
  readonly filename: string
  readonly contentType: string
  readonly contentId: string | null
  readonly content: Uint8Array
}

/** How a message is found again when it is sent again. */
export interface SendIdentity {
  /** The caller's idempotency key, and the SHA-256 (hex) of the request it came with. */
  readonly claim: {
    readonly key: string
    readonly fingerprint: string
    /** That of its words, where it has defaults written down: claims are older than that these don't count. */
    readonly asWritten?: string
  } | null
  /** The SHA-256 (hex) of what makes two sends without a key the same. */
  readonly contentHash: string
  /** For how long a send without a key is taken for a repetition; zero turns that off. */
  readonly dedupeWindow: Duration.Duration
}

/** A message on its way into the store, which finds or makes its participants. */
export interface NewMessage {
  readonly facts: Omit<MessageFacts, "fromParticipantId" | "toParticipantIds">
  readonly state: MessageState
  readonly addressing: Omit<EmailMetadata, "deliveries">
  readonly sender: Mailbox
  /** Everyone who gets the message, each once: to, then cc, then bcc. */
  readonly recipients: ReadonlyArray<EmailAddress>
  readonly attachments: ReadonlyArray<StoredAttachment>
  /** Whether its mail tells that it is opened. */
  readonly trackOpens: boolean
  readonly identity: SendIdentity
  /** The W3C trace context of the accepting request, so that its delivery joins the same trace. */
  readonly traceParent: string | null
}

export interface Accepted {
  readonly message: Message
  /** Whether this is an earlier send's message, given again. */
  readonly replayed: boolean
}

/** What a list of messages may be narrowed to; everything given must hold. */
export interface MessageFilter {
  readonly channel?: Channel | undefined
  readonly status?: MessageStatus | undefined
  readonly conversationId?: ConversationId | undefined
  /** As sender or as recipient. */
  readonly participantId?: ParticipantId | undefined
  /** Accepted at this time or later. */
  readonly startDate?: DateTime.Utc | undefined
  /** Accepted at this time or earlier. */
  readonly endDate?: DateTime.Utc | undefined
}

/** Where messages are kept. Every method is one transaction. */
export class MessageRepo extends Context.Tag("services/MessageRepo")<
  MessageRepo,
  {
    /**
     * Stores claim, message, participants, usage, queue entry and events, or none of them. Concurrent calls share a
     * transaction. A repeated send gives the earlier message; a key used for another request, or whose message was
     * deleted, is a conflict. Whoever a message of a conversation is from or to takes part in that.
     */
    readonly accept: (
      message: NewMessage
    ) => Effect.Effect<Accepted, ConflictError | PaymentRequiredError | ServiceUnavailableError>
    /**
     * Accepts an answer where the message that it answers belongs. If that is nowhere yet, an exchange begins with the
     * two, but not by a send that is refused. None if the organization has no such message.
     */
    readonly acceptAnswer: (
      message: NewMessage,
      answered: MessageId
    ) => Effect.Effect<Option.Option<Accepted>, ConflictError | PaymentRequiredError | ServiceUnavailableError>
    /** The earlier message that this send repeats, if it repeats one. */
    readonly findReplay: (
      organization: OrganizationId,
      identity: SendIdentity
    ) => Effect.Effect<Option.Option<Message>, ConflictError | ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<Option.Option<Message>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filter: MessageFilter,
      page: PageRequest
    ) => Effect.Effect<Page<Message>, ServiceUnavailableError>
    /**
     * Locks the message, and stores what `decide` makes of its state, with an event for each new history entry, and
     * blocks whoever turned out not to exist or complained. A message that has ended leaves the queue. None if there is
     * no such message.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: MessageId,
      decide: (state: MessageState) => Effect.Effect<MessageState, E>
    ) => Effect.Effect<Option.Option<Message>, E | ServiceUnavailableError>
    /** Erases content and recipients and takes the message off the queue; claim, usage and events stay. Whether it existed. */
    readonly remove: (organization: OrganizationId, id: MessageId) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
