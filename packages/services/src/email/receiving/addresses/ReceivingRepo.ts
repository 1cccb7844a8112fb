import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId, EmailDomainStatus } from "@switchboard/domain/email/domains/EmailDomain"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect, type Option } from "effect"

/** What becomes of mail to a domain that none of its addresses takes. */
export interface CatchAll {
  readonly enabled: boolean
  readonly forwardTo: ReadonlyArray<string>
  /** In lower case. */
  readonly exclude: ReadonlyArray<string>
  readonly createdAt: DateTime.Utc
  readonly updatedAt: DateTime.Utc
}

/** A domain, as far as it receives mail. */
export interface ReceivingDomain {
  readonly id: EmailDomainId
  readonly domain: string
  readonly status: EmailDomainStatus
  readonly createdAt: DateTime.Utc
  readonly receiving: boolean
  /** In lower case. */
  readonly addresses: ReadonlyArray<string>
  /** None until one is asked for. */
  readonly catchAll: Option.Option<CatchAll>
}

/** What is written of a domain; its addresses take the place of all there were. */
export type ChangedReceiving = Pick<ReceivingDomain, "receiving" | "addresses" | "catchAll">

/** What a catch-all has done. */
export interface CatchAllCounts {
  readonly received: number
  readonly forwarded: number
  readonly rejected: number
  readonly last24Hours: number
  readonly last30Days: number
}

/** Recipients that were refused because a catch-all excludes them. */
export interface CatchAllRefusals {
  readonly organizationId: OrganizationId
  readonly domainId: EmailDomainId
  readonly count: number
}

/** What domains receive. */
export class ReceivingRepo extends Context.Tag("services/ReceivingRepo")<
  ReceivingRepo,
  {
    readonly find: (
      organization: OrganizationId,
      domain: string
    ) => Effect.Effect<Option.Option<ReceivingDomain>, ServiceUnavailableError>
    /** Decides what a domain receives while nobody else changes it, and writes that. None if there is no such domain. */
    readonly change: <E>(
      organization: OrganizationId,
      domain: string,
      decide: (domain: ReceivingDomain) => Effect.Effect<ChangedReceiving, E>
    ) => Effect.Effect<Option.Option<ReceivingDomain>, E | ServiceUnavailableError>
    readonly counts: (
      organization: OrganizationId,
      domain: EmailDomainId
    ) => Effect.Effect<CatchAllCounts, ServiceUnavailableError>
    /** Adds to what catch-alls refused in this hour; what is gone meanwhile counts nothing. */
    readonly addRefusals: (refusals: ReadonlyArray<CatchAllRefusals>) => Effect.Effect<void, ServiceUnavailableError>
  }
>() {}
