import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MailboxMail, MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A parsed mail (RFC 5322, MIME). */
export interface ParsedMail
  extends Pick<MailboxMail, "from" | "to" | "cc" | "subject" | "headers" | "text" | "html" | "attachments"> {
  /** The Reply-To addresses; empty if there are none. */
  readonly replyTo: ReadonlyArray<string>
}

/** Parses mail. Parts that can't be parsed are empty, never an error. */
export class MailParser extends Context.Tag("services/MailParser")<
  MailParser,
  { readonly parse: (raw: Uint8Array) => Effect.Effect<ParsedMail> }
>() {}

/** A mail as received over SMTP. */
export interface RawMail {
  readonly id: MailboxMailId
  /** The organization that sent or forwarded it, or null. */
  readonly organizationId: OrganizationId | null
  /** The Message-ID header, empty if there is none. */
  readonly messageId: string
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly raw: Uint8Array
  readonly receivedAt: DateTime.Utc
}

/** Stores the mails of the local mailbox. */
export class MailboxRepo extends Context.Tag("services/MailboxRepo")<
  MailboxRepo,
  {
    /** Stores a mail and deletes the oldest beyond 10,000. Concurrent calls share a transaction. */
    readonly insert: (mail: RawMail) => Effect.Effect<void, ServiceUnavailableError>
    /** The organization's mails, newest first; with a message those of its Message-ID. */
    readonly list: (
      organization: OrganizationId,
      messageId: MessageId | undefined,
      page: PageRequest
    ) => Effect.Effect<Page<RawMail>, BadRequestError | ServiceUnavailableError>
    /** A mail of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: MailboxMailId
    ) => Effect.Effect<Option.Option<RawMail>, ServiceUnavailableError>
  }
>() {}
