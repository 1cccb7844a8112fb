import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type {
  ForwardingLog,
  ForwardingRule,
  ForwardingRuleFilters,
  ForwardingRuleId
} from "@switchboard/domain/email/forwarding/ForwardingRule"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import { Context, type Effect, type Option } from "effect"

/** Stores forwarding rules and their log. */
export class ForwardingRuleRepo extends Context.Tag("services/ForwardingRuleRepo")<
  ForwardingRuleRepo,
  {
    /** Stores a rule. Returns false and stores nothing if the organization has `most` rules already. */
    readonly insert: (rule: ForwardingRule, most: number) => Effect.Effect<boolean, ServiceUnavailableError>
    /** A rule of the organization. */
    readonly find: (
      organization: OrganizationId,
      id: ForwardingRuleId
    ) => Effect.Effect<Option.Option<ForwardingRule>, ServiceUnavailableError>
    /** The organization's rules, newest first. */
    readonly list: (
      organization: OrganizationId,
      filters: ForwardingRuleFilters,
      page: PageRequest
    ) => Effect.Effect<Page<ForwardingRule>, BadRequestError | ServiceUnavailableError>
    /** Locks a rule, calls `decide`, and stores the result. None if the organization has no such rule. */
    readonly change: <E>(
      organization: OrganizationId,
      id: ForwardingRuleId,
      decide: (rule: ForwardingRule) => Effect.Effect<ForwardingRule, E>
    ) => Effect.Effect<Option.Option<ForwardingRule>, E | ServiceUnavailableError>
    /** Removes a rule and keeps its log. Returns whether the rule existed. */
    readonly remove: (
      organization: OrganizationId,
      id: ForwardingRuleId
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    /** The log of finished forwardings, newest first. */
    readonly log: (
      organization: OrganizationId,
      page: PageRequest
    ) => Effect.Effect<Page<ForwardingLog>, BadRequestError | ServiceUnavailableError>
  }
>() {}
