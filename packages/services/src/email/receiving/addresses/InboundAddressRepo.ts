import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"

/** A domain that is verified, degraded or not, and what it would do with an address. */
export interface DomainOfAddress {
  readonly organizationId: OrganizationId
  readonly domainId: EmailDomainId
  /** Whether it receives mail at all. */
  readonly receiving: boolean
  /** Whether the address is one of its receiving addresses. */
  readonly isAddress: boolean
  /** Whether its catch-all is on, and does not exclude the address. */
  readonly catches: boolean
  /** Whether its catch-all is on, and excludes the address. */
  readonly excluded: boolean
}

/** What every RCPT asks. Names and addresses are in lower case. */
export class InboundAddressRepo extends Context.Tag("services/InboundAddressRepo")<
  InboundAddressRepo,
  {
    /** An address with a detail (`support+x`) is also the address without it. None if no organization has verified the domain. */
    readonly find: (
      domain: string,
      address: string
    ) => Effect.Effect<Option.Option<DomainOfAddress>, ServiceUnavailableError>
    /** The name of the oldest domain of the installation that receives mail. */
    readonly firstReceivingDomain: Effect.Effect<Option.Option<string>, ServiceUnavailableError>
    readonly hasForwarding: (
      organization: OrganizationId,
      forwarding: ForwardingId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    readonly hasMessage: (
      organization: OrganizationId,
      message: MessageId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
