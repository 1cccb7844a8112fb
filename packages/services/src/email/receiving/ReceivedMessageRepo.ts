import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import type { EmailAddressing, EmailContent, MessageId } from "@switchboard/domain/messages/Message"
import type { MessageState } from "@switchboard/domain/messages/state/MessageState"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect } from "effect"
import type { MessageFacts } from "../../messages/MessageRepo.js"

/** A file of a received message. Its content is an object. */
export interface ReceivedAttachment {
  readonly id: string
  readonly filename: string
  readonly contentType: string
  readonly contentId: string | null
  readonly size: number
  readonly key: ObjectKey
}

/** The author of a mail. An author without an address becomes a new participant. */
export interface MailAuthor {
  readonly address: EmailAddress | null
  readonly name: string | null
}

/** The fields that the repository fills in: it finds the parent message and the participants. */
type Found =
  | "conversationId"
  | "threadId"
  | "parentMessageId"
  | "fromParticipantId"
  | "toParticipantIds"
  | "currency"
  | "isTest"

/** A received message before it is stored. */
export interface NewReceivedMessage {
  readonly facts: Omit<MessageFacts, Found | "content"> & { readonly content: EmailContent }
  readonly state: MessageState
  readonly addressing: EmailAddressing
  readonly author: MailAuthor
  /** The organization's addresses that the mail was sent to. */
  readonly recipients: ReadonlyArray<EmailAddress>
  /** The messages identified by the signed reply addresses. The senders of these messages are the recipients. */
  readonly signed: ReadonlyArray<MessageId>
  /** With angle brackets; empty if there is none. */
  readonly rfcMessageId: string
  readonly inReplyTo: ReadonlyArray<string>
  readonly references: ReadonlyArray<string>
  readonly headers: ReadonlyArray<{ readonly name: string; readonly value: string }>
  /** The size of the raw mail in octets. */
  readonly size: number
  readonly authentication: MailAuthentication
  readonly attachments: ReadonlyArray<ReceivedAttachment>
}

/** Stores received mail as messages. */
export class ReceivedMessageRepo extends Context.Tag("services/ReceivedMessageRepo")<
  ReceivedMessageRepo,
  {
    /** Whether the mail was received before, even if its message was deleted. */
    readonly isReceived: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Stores the message in the thread and conversation of its parent, or in new ones, with participants, usage and
     * events, in one transaction. A mail that was received before changes nothing.
     */
    readonly receive: (message: NewReceivedMessage) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
