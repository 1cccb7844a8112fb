import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"

/** The domain of an address, and whether it accepts mail to the address. */
export interface DomainOfAddress {
  readonly organizationId: OrganizationId
  readonly domainId: EmailDomainId
  /** Whether the domain receives mail. */
  readonly receiving: boolean
  /** Whether the address is one of the domain's receiving addresses. */
  readonly isAddress: boolean
  /** Whether the domain's catch-all is enabled and accepts the address. */
  readonly catches: boolean
  /** Whether the domain's catch-all is enabled and excludes the address. */
  readonly excluded: boolean
}

/** The look-ups of RCPT commands. Names and addresses are in lower case. */
export class InboundAddressRepo extends Context.Tag("services/InboundAddressRepo")<
  InboundAddressRepo,
  {
    /**
     * The domain of an address. An address with a detail (`support+x`) also matches without it. None if no organization
     * has the domain verified or degraded.
     */
    readonly find: (
      domain: string,
      address: string
    ) => Effect.Effect<Option.Option<DomainOfAddress>, ServiceUnavailableError>
    /** The name of the oldest domain in the installation that receives mail. */
    readonly firstReceivingDomain: Effect.Effect<Option.Option<string>, ServiceUnavailableError>
    /** Whether the organization has the forwarding. */
    readonly hasForwarding: (
      organization: OrganizationId,
      forwarding: ForwardingId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Whether the organization has the message. */
    readonly hasMessage: (
      organization: OrganizationId,
      message: MessageId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
