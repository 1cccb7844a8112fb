import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import type { EmailAttachment } from "@switchboard/domain/email/records/EmailRecord"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"

/** A file of a message, and the key of the object with its content. */
export interface RecordedFile extends Omit<EmailAttachment, "url"> {
  readonly key: ObjectKey
}

/** A stored e-mail with its headers and files. */
export interface StoredRecord {
  readonly message: Message
  /** The headers of received mail. */
  readonly headers: Readonly<Record<string, string>>
  readonly size: number
  /** Null for sent mail. */
  readonly authentication: MailAuthentication | null
  readonly files: ReadonlyArray<RecordedFile>
}

/** Reads e-mails with their headers, and the files of messages. */
export class EmailRecordRepo extends Context.Tag("services/EmailRecordRepo")<
  EmailRecordRepo,
  {
    /** An e-mail of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<Option.Option<StoredRecord>, ServiceUnavailableError>
    /** The files of a message of the organization, of any channel. */
    readonly files: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<Option.Option<ReadonlyArray<RecordedFile>>, ServiceUnavailableError>
    /** The octets of a received e-mail. None if they were erased. */
    readonly receivedOctets: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<Option.Option<Uint8Array>, ServiceUnavailableError>
    /** The content of a sent attachment, by its position in the message. */
    readonly sentFile: (
      organization: OrganizationId,
      id: MessageId,
      position: number
    ) => Effect.Effect<Option.Option<Uint8Array>, ServiceUnavailableError>
  }
>() {}
