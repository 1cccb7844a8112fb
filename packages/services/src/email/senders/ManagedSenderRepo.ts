import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { EmailSenderId, SenderVerification } from "@switchboard/domain/email/senders/EmailSender"
import type { SenderOutcomes } from "@switchboard/domain/email/senders/Reputation"
import type { EmailSenderFilters } from "@switchboard/domain/email/senders/SenderRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"

/** A sender as it is kept. */
export interface StoredSender {
  readonly id: EmailSenderId
  readonly organizationId: OrganizationId
  /** Null for one that the operator vouched for. */
  readonly domainId: EmailDomainId | null
  readonly email: EmailAddress
  readonly name: string
  readonly replyTo: EmailAddress | null
  /** As it was written: a pending one whose confirmation is over has failed. */
  readonly verificationStatus: SenderVerification
  readonly verifiedAt: DateTime.Utc | null
  readonly isDefault: boolean
  /** Whether it becomes the default when it is verified. */
  readonly wantsDefault: boolean
  readonly isActive: boolean
  /** What the confirmation mail's link is about; null where none was needed. */
  readonly confirmation: { readonly nonce: string; readonly expiresAt: DateTime.Utc } | null
  /** Whether its domain has failed after it was verified: then it is verified no more, until the domain stands again. */
  readonly domainFailed: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** What becomes of a sender. */
export interface ChangedSender {
  readonly sender: StoredSender
  readonly events: ReadonlyArray<NewEvent>
}

/** A sender that is not verified, and how the messages from its address ended lately. */
export interface WaitingSender {
  readonly stored: StoredSender
  readonly outcomes: SenderOutcomes | undefined
}

/** Where senders are kept, for those who manage them. A sender that becomes the default takes that from the one before. */
export class ManagedSenderRepo extends Context.Tag("services/ManagedSenderRepo")<
  ManagedSenderRepo,
  {
    /** Stores a sender with its events; a conflict if the address is one already, or its domain was removed. */
    readonly insert: (changed: ChangedSender) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: EmailSenderId
    ) => Effect.Effect<Option.Option<StoredSender>, ServiceUnavailableError>
    /** By address, whatever its case. */
    readonly findByEmail: (
      organization: OrganizationId,
      email: EmailAddress
    ) => Effect.Effect<Option.Option<StoredSender>, ServiceUnavailableError>
    /** Newest first, as they stand at an instant. */
    readonly list: (
      organization: OrganizationId,
      filters: EmailSenderFilters,
      at: DateTime.Utc,
      page: PageRequest
    ) => Effect.Effect<Page<StoredSender>, ServiceUnavailableError>
    /** How the messages from each address ended, of those accepted since an instant, the latest 10,000 at most. */
    readonly outcomes: (
      organization: OrganizationId,
      addresses: ReadonlyArray<EmailAddress>,
      since: DateTime.Utc
    ) => Effect.Effect<ReadonlyMap<EmailAddress, SenderOutcomes>, ServiceUnavailableError>
    /** Decides what becomes of a sender while nobody else changes it, and writes that, or nothing. None if there is none. */
    readonly change: <E>(
      organization: OrganizationId,
      id: EmailSenderId,
      decide: (sender: StoredSender) => Effect.Effect<ChangedSender, E>
    ) => Effect.Effect<Option.Option<ChangedSender>, E | ServiceUnavailableError>
    /** Erases a sender and writes what is told of it; whether it existed. */
    readonly remove: (
      organization: OrganizationId,
      id: EmailSenderId,
      tell: (sender: StoredSender) => Effect.Effect<ReadonlyArray<NewEvent>>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
