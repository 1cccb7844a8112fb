import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { DkimSelector } from "@switchboard/domain/email/domains/DomainRecords"
import type { EmailDomainFilters } from "@switchboard/domain/email/domains/DomainRequests"
import type { DomainStanding } from "@switchboard/domain/email/domains/DomainStanding"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"
import type { ChangedSender, WaitingSender } from "../senders/ManagedSenderRepo.js"

/** A domain as it is kept, but for its private keys. */
export interface StoredDomain extends DomainStanding {
  readonly id: EmailDomainId
  readonly organizationId: OrganizationId
  readonly domain: string
  readonly verificationToken: string
  readonly activeSelector: DkimSelector
  readonly publicKeys: Readonly<Record<DkimSelector, string>>
  readonly receiving: boolean
  /** When its records are looked up again. */
  readonly nextCheckAt: DateTime.Utc
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** What becomes of a domain. */
export interface ChangedDomain {
  /** As it is from now on. */
  readonly domain: StoredDomain
  /** The sealed private key that takes the place of a selector's; its public key stands in the domain. */
  readonly newKey: { readonly selector: DkimSelector; readonly sealed: Uint8Array } | null
  readonly events: ReadonlyArray<NewEvent>
  /** What becomes of its senders that are not verified, written in the same transaction; nothing if it is left out. */
  readonly verifySenders?: (waiting: ReadonlyArray<WaitingSender>) => Effect.Effect<ReadonlyArray<ChangedSender>>
}

/** The private key that signs, sealed. */
export interface SealedSigningKey {
  readonly id: EmailDomainId
  readonly selector: DkimSelector
  readonly sealed: Uint8Array
  /** Whether all its records were found: it is not merely tolerated for a while. */
  readonly isVerified: boolean
  /** Whether mail to the domain comes to us. */
  readonly receives: boolean
}

/** Where domains are kept. Only one organization of all has a name verified. */
export class DomainRepo extends Context.Tag("services/DomainRepo")<
  DomainRepo,
  {
    /**
     * Stores a domain, its sealed private keys and its events; a conflict if the organization has that name already, or
     * another one has it verified and this one says so too.
     */
    readonly insert: (
      domain: StoredDomain,
      sealedKeys: Readonly<Record<DkimSelector, Uint8Array>>,
      events: ReadonlyArray<NewEvent>
    ) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    readonly find: (
      organization: OrganizationId,
      id: EmailDomainId
    ) => Effect.Effect<Option.Option<StoredDomain>, ServiceUnavailableError>
    readonly findByName: (
      organization: OrganizationId,
      domain: string
    ) => Effect.Effect<Option.Option<StoredDomain>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: EmailDomainFilters,
      page: PageRequest
    ) => Effect.Effect<Page<StoredDomain>, ServiceUnavailableError>
    /** Whether another organization has the name verified. */
    readonly isVerifiedElsewhere: (
      organization: OrganizationId,
      domain: string
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Decides what becomes of a domain while nobody else changes it, and writes that with its events, or nothing. None
     * if the organization has no such domain; a conflict if it would be verified and another organization has it.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: EmailDomainId,
      decide: (domain: StoredDomain) => Effect.Effect<ChangedDomain, E>
    ) => Effect.Effect<Option.Option<ChangedDomain>, E | ConflictError | ServiceUnavailableError>
    /**
     * Erases a domain and writes what is told of it; whether it existed. A conflict while a sender, a
     * forwarding rule or a catch-all that is on uses it.
     */
    readonly remove: (
      organization: OrganizationId,
      id: EmailDomainId,
      tell: (domain: StoredDomain) => Effect.Effect<ReadonlyArray<NewEvent>>
    ) => Effect.Effect<boolean, ConflictError | ServiceUnavailableError>
    /** Takes domains that are to be looked up by now, whosesoever they are, and puts them off, so that nobody else does. */
    readonly takeDue: (
      now: DateTime.Utc,
      putOffUntil: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredDomain>, ServiceUnavailableError>
    /** The key of a domain that is verified, or degraded since this instant or later. */
    readonly signingKey: (
      organization: OrganizationId,
      domain: string,
      degradedSince: DateTime.Utc
    ) => Effect.Effect<Option.Option<SealedSigningKey>, ServiceUnavailableError>
    /** Whether a domain is verified, or degraded since this instant or later: its addresses may be sent from. */
    readonly sends: (
      organization: OrganizationId,
      domain: string,
      degradedSince: DateTime.Utc
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Of all organizations, by name. */
    readonly listAll: Effect.Effect<ReadonlyArray<StoredDomain>, ServiceUnavailableError>
  }
>() {}
