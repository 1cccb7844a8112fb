import type { ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { ForwardingLog } from "@switchboard/domain/email/forwarding/ForwardingLog"
import type { ForwardingRule, ForwardingRuleId } from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { ForwardingRuleFilters } from "@switchboard/domain/email/forwarding/ForwardingRuleRequests"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"

/** Where rules are kept, and what became of the mail that they were for. */
export class ForwardingRuleRepo extends Context.Tag("services/ForwardingRuleRepo")<
  ForwardingRuleRepo,
  {
    /** Stores a rule; false, and nothing stored, if the organization has so many already. */
    readonly insert: (rule: ForwardingRule, most: number) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ForwardingRuleFilters,
      page: PageRequest
    ) => Effect.Effect<Page<ForwardingRule>, ServiceUnavailableError>
    /** Decides what becomes of a rule while nobody else changes it. None if the organization has no such rule. */
    readonly change: <E>(
      organization: OrganizationId,
      id: ForwardingRuleId,
      decide: (rule: ForwardingRule) => Effect.Effect<ForwardingRule, E>
    ) => Effect.Effect<Option.Option<ForwardingRule>, E | ServiceUnavailableError>
    /** Removes a rule, whether it existed. Its log stays. */
    readonly remove: (
      organization: OrganizationId,
      id: ForwardingRuleId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Newest first; what is still on its way is not there yet. */
    readonly log: (
      organization: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<ForwardingLog>, ServiceUnavailableError>
  }
>() {}
