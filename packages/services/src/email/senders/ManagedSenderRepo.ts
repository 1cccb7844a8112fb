import type { BadRequestError, ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type {
  EmailSenderFilters,
  EmailSenderId,
  SenderOutcomes,
  SenderVerification
} from "@switchboard/domain/email/senders/EmailSender"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"

/** A stored sender. */
export interface StoredSender {
  readonly id: EmailSenderId
  readonly organizationId: OrganizationId
  /** Null for the operator's own sender. */
  readonly domainId: EmailDomainId | null
  readonly email: EmailAddress
  readonly name: string
  readonly replyTo: EmailAddress | null
  /** The stored status. A pending sender with an expired confirmation counts as failed. */
  readonly verificationStatus: SenderVerification
  readonly verifiedAt: DateTime.Utc | null
  readonly isDefault: boolean
  /** Whether the sender becomes the default once it is verified. */
  readonly wantsDefault: boolean
  readonly isActive: boolean
  /** The nonce and expiry of the confirmation link; null if no confirmation was required. */
  readonly confirmation: { readonly nonce: string; readonly expiresAt: DateTime.Utc } | null
  /**
   * Whether its domain failed after the sender was verified. The sender counts as failed until the domain is verified
   * again.
   */
  readonly domainFailed: boolean
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** The result of a change to a sender. */
export interface ChangedSender {
  readonly sender: StoredSender
  readonly events: ReadonlyArray<NewEvent>
}

/** An unverified sender with the recent outcomes of messages from its address. */
export interface WaitingSender {
  readonly stored: StoredSender
  readonly outcomes: SenderOutcomes | undefined
}

/** Stores senders for their management. A new default sender replaces the previous one. */
export class ManagedSenderRepo extends Context.Tag("services/ManagedSenderRepo")<
  ManagedSenderRepo,
  {
    /**
     * Stores a sender with its events. Fails if the organization has a sender with the address, or if the domain was
     * removed.
     */
    readonly insert: (changed: ChangedSender) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    /** A sender of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: EmailSenderId
    ) => Effect.Effect<Option.Option<StoredSender>, ServiceUnavailableError>
    /** Finds a sender by address, case-insensitively. */
    readonly findByEmail: (
      organization: OrganizationId,
      email: EmailAddress
    ) => Effect.Effect<Option.Option<StoredSender>, ServiceUnavailableError>
    /** The organization's senders with their status at `at`, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: EmailSenderFilters,
      at: DateTime.Utc,
      page: PageRequest
    ) => Effect.Effect<Page<StoredSender>, BadRequestError | ServiceUnavailableError>
    /** The outcomes of messages from each address since the start of the day of `since` in UTC. */
    readonly outcomes: (
      organization: OrganizationId,
      addresses: ReadonlyArray<EmailAddress>,
      since: DateTime.Utc
    ) => Effect.Effect<ReadonlyMap<EmailAddress, SenderOutcomes>, ServiceUnavailableError>
    /**
     * Locks a sender, calls `decide`, and stores the result in one transaction. None if the organization has no such
     * sender.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: EmailSenderId,
      decide: (sender: StoredSender) => Effect.Effect<ChangedSender, E>
    ) => Effect.Effect<Option.Option<ChangedSender>, E | ServiceUnavailableError>
    /** Deletes a sender and stores its events. Returns whether it existed. */
    readonly remove: (
      organization: OrganizationId,
      id: EmailSenderId,
      makeEvents: (sender: StoredSender) => Effect.Effect<ReadonlyArray<NewEvent>>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
