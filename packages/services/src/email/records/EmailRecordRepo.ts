import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MailAuthentication } from "@switchboard/domain/email/receiving/MailAuthentication"
import type { EmailAttachment } from "@switchboard/domain/email/records/EmailRecord"
import type { Message, MessageId } from "@switchboard/domain/messages/Message"
import type { ObjectKey } from "@switchboard/domain/objects/ObjectKey"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"

/** A file of an e-mail, and the object that its content is read as. */
export interface RecordedFile extends Omit<EmailAttachment, "url"> {
  readonly key: ObjectKey
}

/** Everything that is kept of an e-mail. */
export interface StoredRecord {
  readonly message: Message
  /** Of mail that came in, as it came. */
  readonly headers: Readonly<Record<string, string>>
  readonly size: number
  /** Null for mail that went out. */
  readonly authentication: MailAuthentication | null
  readonly files: ReadonlyArray<RecordedFile>
}

/** Where e-mails are kept with all that belongs to them. */
export class EmailRecordRepo extends Context.Tag("services/EmailRecordRepo")<
  EmailRecordRepo,
  {
    readonly find: (
      organization: OrganizationId,
      id: MessageId
    ) => Effect.Effect<Option.Option<StoredRecord>, ServiceUnavailableError>
    /** The content of a file that went out with a message, by its place among them. */
    readonly sentFile: (
      organization: OrganizationId,
      id: MessageId,
      position: number
    ) => Effect.Effect<Option.Option<Uint8Array>, ServiceUnavailableError>
  }
>() {}
