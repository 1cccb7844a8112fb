import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type {
  ForwardingId,
  ForwardingRule,
  ForwardingRuleId
} from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"

/** The forwarding configuration of an organization. */
export interface ForwardingPlan {
  /** Active rules, in the order in which they are tried. */
  readonly rules: ReadonlyArray<ForwardingRule>
  /** The forwarding targets of the domains' catch-alls. */
  readonly catchAlls: ReadonlyMap<EmailDomainId, ReadonlyArray<EmailAddress>>
}

/** A forwarding of a mail to one address, before it is stored. */
export interface NewForwarding {
  readonly id: ForwardingId
  readonly ruleId: ForwardingRuleId | null
  /** The domain of the catch-all that forwards it. */
  readonly domainId: EmailDomainId | null
  /** The original recipients, in lower case. */
  readonly recipients: ReadonlyArray<string>
  readonly keepCopy: boolean
  readonly forwardTo: EmailAddress
  readonly viaDomain: string
  /** The reason not to forward a looping mail; null if it is forwarded. */
  readonly loop: string | null
  readonly createdAt: DateTime.Utc
}

/** A stored forwarding with its current status. */
export interface DecidedForwarding {
  readonly recipients: ReadonlyArray<string>
  readonly keepCopy: boolean
  readonly status: "waiting" | "forwarded" | "failed" | "loop_blocked"
}

/** Stores the forwardings of received mail. */
export class ForwardingRepo extends Context.Tag("services/ForwardingRepo")<
  ForwardingRepo,
  {
    /** The organization's active rules, and the targets of these catch-alls. */
    readonly plan: (
      organization: OrganizationId,
      catchAlls: ReadonlyArray<EmailDomainId>
    ) => Effect.Effect<ForwardingPlan, ServiceUnavailableError>
    /** The stored forwardings of a mail; empty if it has none. */
    readonly decided: (
      organization: OrganizationId,
      mail: MessageId
    ) => Effect.Effect<ReadonlyArray<DecidedForwarding>, ServiceUnavailableError>
    /**
     * Stores the forwardings of a mail, counts the matches of its rules, and queues those to send, in one transaction.
     * Stores nothing if the mail has forwardings already or was deleted. Returns the stored ones.
     */
    readonly decide: (
      organization: OrganizationId,
      mail: MessageId,
      forwardings: ReadonlyArray<NewForwarding>
    ) => Effect.Effect<ReadonlyArray<DecidedForwarding>, ServiceUnavailableError>
    /**
     * Stores that forwarded mail bounced. Without a copy, the mail is queued for processing again. Returns false and
     * stores nothing while the mail is leased; returns true if the forwarding was deleted.
     */
    readonly fail: (
      organization: OrganizationId,
      id: ForwardingId,
      error: string
    ) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
