import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import type { EmailMetadata, MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"
import type { MessageFacts } from "../../messages/MessageRepo.js"

/** A file of a received mail, whose content is an object. */
export interface ReceivedAttachment {
  readonly id: string
  readonly filename: string
  readonly contentType: string
  readonly contentId: string | null
  readonly size: number
  readonly key: ObjectKey
}

/** Somebody that a mail is from. Whoever gives no address is somebody new. */
export interface MailAuthor {
  readonly address: EmailAddress | null
  readonly name: string | null
}

/** What only the store can tell: it knows what the mail answers, and who they are that it is from and to. */
type Found =
  | "conversationId"
  | "threadId"
  | "parentMessageId"
  | "fromParticipantId"
  | "toParticipantIds"
  | "currency"
  | "isTest"

/** A received mail on its way into the store. */
export interface NewReceivedMessage {
  readonly facts: Omit<MessageFacts, Found>
  readonly state: MessageState
  readonly addressing: Omit<EmailMetadata, "deliveries">
  readonly author: MailAuthor
  /** Addresses of ours that the mail came to. */
  readonly recipients: ReadonlyArray<EmailAddress>
  /** Messages whose signed reply addresses the mail came to: it is to whoever sent them. */
  readonly signed: ReadonlyArray<MessageId>
  /** With its angle brackets, empty if it has none. */
  readonly rfcMessageId: string
  readonly inReplyTo: ReadonlyArray<string>
  readonly references: ReadonlyArray<string>
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  /** Of the whole mail, in octets. */
  readonly size: number
  readonly authentication: MailAuthentication
  readonly attachments: ReadonlyArray<ReceivedAttachment>
}

/** Where received mail becomes messages. */
export class ReceivedMessageRepo extends Context.Tag("services/ReceivedMessageRepo")<
  ReceivedMessageRepo,
  {
    /** Whether this mail was received before, also if its message was deleted since. */
    readonly isReceived: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Stores the message in the thread and conversation of what it answers, or in new ones, with its participants, its
     * count and its events, or nothing of it. A mail that was received before changes nothing.
     */
    readonly receive: (message: NewReceivedMessage) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
