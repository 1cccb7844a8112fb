import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { EmailDomainId } from "@switchboard/domain/email/domains/EmailDomain"
import type { EmailAddress } from "@switchboard/domain/email/EmailAddress"
import type { ForwardingId } from "@switchboard/domain/email/forwarding/ForwardingLog"
import type { ForwardingRule, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { MessageId } from "@switchboard/domain/messages/Message"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Context, type DateTime, type Effect } from "effect"

/** What mail of an organization may go on by. */
export interface ForwardingPlan {
  /** Active ones, in the order in which they are tried. */
  readonly rules: ReadonlyArray<ForwardingRule>
  /** Where the catch-alls of the domains forward to. */
  readonly catchAlls: ReadonlyMap<EmailDomainId, ReadonlyArray<EmailAddress>>
}

/** A mail on its way to one address. */
export interface NewForwarding {
  readonly id: ForwardingId
  readonly ruleId: ForwardingRuleId | null
  /** The domain of the catch-all that forwards it. */
  readonly domainId: EmailDomainId | null
  /** For whom it came, in lower case: they get no copy if none is to be kept. */
  readonly recipients: ReadonlyArray<string>
  readonly keepCopy: boolean
  readonly forwardTo: EmailAddress
  readonly viaDomain: string
  /** Why it goes in circles, and so nowhere; null if it does not. */
  readonly loop: string | null
  readonly createdAt: DateTime.Utc
}

/** What was decided of a mail, as it stands. */
export interface DecidedForwarding {
  readonly recipients: ReadonlyArray<string>
  readonly keepCopy: boolean
  readonly status: "waiting" | "forwarded" | "failed" | "loop_blocked"
}

/** Where it is kept what becomes of mail that goes on. */
export class ForwardingRepo extends Context.Tag("services/ForwardingRepo")<
  ForwardingRepo,
  {
    readonly plan: (
      organization: OrganizationId,
      catchAlls: ReadonlyArray<EmailDomainId>
    ) => Effect.Effect<ForwardingPlan, ServiceUnavailableError>
    /** What was decided of a mail before; nothing if it was not, or does not go on. */
    readonly decided: (
      organization: OrganizationId,
      mail: MessageId
    ) => Effect.Effect<ReadonlyArray<DecidedForwarding>, ServiceUnavailableError>
    /**
     * Stores what becomes of a mail, counts what its rules matched, and queues what goes on, or nothing of it if it was
     * decided before or the mail is not kept any more. What stands decided.
     */
    readonly decide: (
      organization: OrganizationId,
      mail: MessageId,
      forwardings: ReadonlyArray<NewForwarding>
    ) => Effect.Effect<ReadonlyArray<DecidedForwarding>, ServiceUnavailableError>
    /**
     * What was taken by a relay came back. Where no copy was kept, the mail is looked at again. False, and nothing
     * stored, while the mail is being looked at; what is not known any more is nothing to wait for.
     */
    readonly fail: (
      organization: OrganizationId,
      id: ForwardingId,
      error: string
    ) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
