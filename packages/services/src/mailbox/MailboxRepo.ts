import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { MailboxMailId } from "@switchboard/domain/mailbox/MailboxMail"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A mail as it came over SMTP. */
export interface RawMail {
  readonly id: MailboxMailId
  /** Whoever sent or forwarded it, if that is one of ours. */
  readonly organizationId: OrganizationId | null
  /** The Message-ID header, empty if there is none. */
  readonly messageId: string
  readonly mailFrom: string
  readonly rcptTo: ReadonlyArray<string>
  readonly raw: Uint8Array
  readonly receivedAt: DateTime.Utc
}

/** Where the local mailbox keeps what it got. */
export class MailboxRepo extends Context.Tag("services/MailboxRepo")<
  MailboxRepo,
  {
    /** Keeps a mail; of the oldest, those beyond the newest 10,000 go. Concurrent calls share a transaction. */
    readonly insert: (mail: RawMail) => Effect.Effect<void, ServiceUnavailableError>
    /** The organization's own, newest first. */
    readonly list: (
      organization: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<RawMail>, ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: MailboxMailId
    ) => Effect.Effect<Option.Option<RawMail>, ServiceUnavailableError>
  }
>() {}
