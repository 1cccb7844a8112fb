import type { BadRequestError, ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { DomainPause } from "@switchboard/domain/email/domains/DomainPause"
import type { DkimSelector, MailRoute } from "@switchboard/domain/email/domains/DomainRecords"
import type { EmailDomainFilters, EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { DomainVerification } from "@switchboard/domain/email/domains/ExamineDomain"
import type { Tracking } from "@switchboard/domain/email/tracking/Tracking"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type DateTime, type Effect, type Option } from "effect"
import type { NewEvent } from "../../events/NewEvent.js"
import type { ChangedSender, WaitingSender } from "../senders/ManagedSenderRepo.js"

/** The host names that the DNS records of domains point to. */
export class MailRouting extends Context.Tag("services/MailRouting")<MailRouting, MailRoute>() {}

/** A stored domain without its private keys. Its tracking is the default of its mail. */
export interface StoredDomain extends DomainVerification, Tracking {
  readonly id: EmailDomainId
  readonly organizationId: OrganizationId
  readonly domain: string
  readonly verificationToken: string
  readonly activeSelector: DkimSelector
  readonly publicKeys: Readonly<Record<DkimSelector, string>>
  readonly receiving: boolean
  /** The host of links in tracked mail; null for that of `PUBLIC_URL`. */
  readonly trackingDomain: string | null
  /** Whether the last check found the record of that host. */
  readonly isTrackingVerified: boolean
  /** The pause of its mail; null if there is none. */
  readonly pause: DomainPause | null
  /** The end of its last pause. */
  readonly resumedAt: DateTime.Utc | null
  /** The time of the next DNS check. */
  readonly nextCheckAt: DateTime.Utc
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** The result of a change to a domain. */
export interface ChangedDomain {
  /** The domain after the change. */
  readonly domain: StoredDomain
  /** The encrypted private key that replaces a selector's key, or null. Its public key is in `domain`. */
  readonly newKey: { readonly selector: DkimSelector; readonly sealed: Uint8Array } | null
  readonly events: ReadonlyArray<NewEvent>
  /** Whether the figures by which it can be paused begin anew. */
  readonly clearsFigures?: boolean
  /**
   * Returns the changes to the domain's unverified senders, stored in the same transaction. Without it senders don't
   * change.
   */
  readonly verifySenders?: (waiting: ReadonlyArray<WaitingSender>) => Effect.Effect<ReadonlyArray<ChangedSender>>
}

/** The encrypted private key of the active selector. */
export interface SealedSigningKey extends Tracking {
  readonly id: EmailDomainId
  readonly selector: DkimSelector
  readonly sealed: Uint8Array
  /** Whether the domain is verified. False while it is degraded. */
  readonly isVerified: boolean
  /** Whether this service receives the domain's mail. */
  readonly receives: boolean
  /** The host of links in tracked mail, if its record was found. */
  readonly trackingDomain: string | null
}

/** Stores domains. A name is verified for at most one organization. */
export class DomainRepo extends Context.Tag("services/DomainRepo")<
  DomainRepo,
  {
    /**
     * Stores a domain, its encrypted private keys and its events. Fails if the organization has the name already, or if
     * the domain is verified and another organization's is too.
     */
    readonly insert: (
      domain: StoredDomain,
      sealedKeys: Readonly<Record<DkimSelector, Uint8Array>>,
      events: ReadonlyArray<NewEvent>
    ) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    /** A domain of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: EmailDomainId
    ) => Effect.Effect<Option.Option<StoredDomain>, ServiceUnavailableError>
    /** A domain of the organization by its name, in lower case. */
    readonly findByName: (
      organization: OrganizationId,
      domain: string
    ) => Effect.Effect<Option.Option<StoredDomain>, ServiceUnavailableError>
    /** The organization's domains, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: EmailDomainFilters,
      page: PageRequest
    ) => Effect.Effect<Page<StoredDomain>, BadRequestError | ServiceUnavailableError>
    /** Whether the name is verified for another organization. */
    readonly isVerifiedElsewhere: (
      organization: OrganizationId,
      domain: string
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /**
     * Locks a domain, calls `decide`, and stores the result with its events in one transaction. None if the
     * organization has no such domain. Fails if the domain would be verified while another organization's is.
     */
    readonly change: <E>(
      organization: OrganizationId,
      id: EmailDomainId,
      decide: (domain: StoredDomain) => Effect.Effect<ChangedDomain, E>
    ) => Effect.Effect<Option.Option<ChangedDomain>, E | ConflictError | ServiceUnavailableError>
    /**
     * Deletes a domain and stores its events. Returns whether it existed. Fails while a sender, a forwarding rule or an
     * enabled catch-all uses the domain.
     */
    readonly remove: (
      organization: OrganizationId,
      id: EmailDomainId,
      makeEvents: (domain: StoredDomain) => Effect.Effect<ReadonlyArray<NewEvent>>
    ) => Effect.Effect<boolean, ConflictError | ServiceUnavailableError>
    /**
     * Leases up to `limit` domains of all organizations that are due for a check, by moving their next check to
     * `putOffUntil`.
     */
    readonly takeDue: (
      now: DateTime.Utc,
      putOffUntil: DateTime.Utc,
      limit: number
    ) => Effect.Effect<ReadonlyArray<StoredDomain>, ServiceUnavailableError>
    /** The signing key of a domain that is verified, or degraded since `degradedSince` or later. */
    readonly signingKey: (
      organization: OrganizationId,
      domain: string,
      degradedSince: DateTime.Utc
    ) => Effect.Effect<Option.Option<SealedSigningKey>, ServiceUnavailableError>
    /**
     * The tracking of mail from a domain. None if mail may not be sent from it: it must be verified, or degraded since
     * `degradedSince` or later.
     */
    readonly sends: (
      organization: OrganizationId,
      domain: string,
      degradedSince: DateTime.Utc
    ) => Effect.Effect<Option.Option<Tracking>, ServiceUnavailableError>
    /** The domains of all organizations, by name. */
    readonly listAll: Effect.Effect<ReadonlyArray<StoredDomain>, ServiceUnavailableError>
  }
>() {}
