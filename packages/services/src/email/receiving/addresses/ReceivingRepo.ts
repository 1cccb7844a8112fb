import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId, EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** A catch-all: the handling of mail to a domain's addresses that are not set up. */
export interface CatchAll {
  readonly enabled: boolean
  readonly forwardTo: ReadonlyArray<string>
  /** Addresses in lower case. */
  readonly exclude: ReadonlyArray<string>
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** The receiving settings of a domain. */
export interface ReceivingDomain {
  readonly id: EmailDomainId
  readonly domain: string
  readonly status: EmailDomainStatus
  readonly createdAt: DateTime.Utc
  readonly receiving: boolean
  /** Receiving addresses in lower case. */
  readonly addresses: ReadonlyArray<string>
  /** None if it was never configured. */
  readonly catchAll: Option.Option<CatchAll>
}

/** The settings to store. The addresses replace the previous ones. */
export type ChangedReceiving = Pick<ReceivingDomain, "receiving" | "addresses" | "catchAll">

/** The counts of a catch-all. */
export interface CatchAllCounts {
  readonly received: number
  readonly forwarded: number
  readonly rejected: number
  readonly last24Hours: number
  readonly last30Days: number
}

/** The number of recipients that a catch-all rejected because it excludes them. */
export interface CatchAllRefusals {
  readonly organizationId: OrganizationId
  readonly domainId: EmailDomainId
  readonly count: number
}

/** Stores the receiving settings of domains. */
export class ReceivingRepo extends Context.Tag("services/ReceivingRepo")<
  ReceivingRepo,
  {
    /** The receiving settings of a domain by its name. */
    readonly find: (
      organization: OrganizationId,
      domain: string
    ) => Effect.Effect<Option.Option<ReceivingDomain>, ServiceUnavailableError>
    /** Locks a domain, calls `decide`, and stores the result. None if the organization has no such domain. */
    readonly change: <E>(
      organization: OrganizationId,
      domain: string,
      decide: (domain: ReceivingDomain) => Effect.Effect<ChangedReceiving, E>
    ) => Effect.Effect<Option.Option<ReceivingDomain>, E | ServiceUnavailableError>
    /** The counts of a domain's catch-all. */
    readonly counts: (
      organization: OrganizationId,
      domain: EmailDomainId
    ) => Effect.Effect<CatchAllCounts, ServiceUnavailableError>
    /** Adds to the rejections of catch-alls in the current hour. Removed domains are skipped. */
    readonly addRefusals: (refusals: ReadonlyArray<CatchAllRefusals>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
