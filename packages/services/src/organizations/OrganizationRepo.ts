import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { Organization, OrganizationId, OrganizationSummary } from "@switchboard/domain/organizations/Organization"
import type { Plan } from "@switchboard/domain/organizations/Plan"
import type { UpdateOrganization } from "@switchboard/domain/organizations/UpdateOrganization"
import { Context, type Effect, type Option } from "effect"
import type { StorableApiKey } from "../apiKeys/NewApiKey.js"
import type { VerifiedSender } from "../email/senders/SenderRepo.js"

/** Where tenants are kept. */
export class OrganizationRepo extends Context.Tag("services/OrganizationRepo")<
  OrganizationRepo,
  {
    /**
     * Stores a tenant, its usage and its default sender, which is verified already, or none of them. The slug is unique:
     * one that is taken is a conflict.
     */
    readonly insert: (
      organization: OrganizationSummary,
      sender: VerifiedSender
    ) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    /**
     * The same with the tenant's first key, if there is no tenant at all. Of several processes that do so at once, one
     * makes its own. Whether it was this one. The key is shown when all is written and before that holds: one that
     * nobody saw is never kept.
     */
    readonly insertFirst: (
      organization: OrganizationSummary,
      sender: VerifiedSender,
      key: StorableApiKey,
      show: Effect.Effect<void>
    ) => Effect.Effect<boolean, ServiceUnavailableError>
    readonly find: (id: OrganizationId) => Effect.Effect<Option.Option<OrganizationSummary>, ServiceUnavailableError>
    /** A tenant as its own keys see it, with its usage as it is now. */
    readonly findWhole: (id: OrganizationId) => Effect.Effect<Option.Option<Organization>, ServiceUnavailableError>
    /** Stores what changes, with an event. A slug that is taken is a conflict; none if there is no such tenant. */
    readonly update: (
      id: OrganizationId,
      change: UpdateOrganization
    ) => Effect.Effect<Option.Option<Organization>, ConflictError | ServiceUnavailableError>
    /**
     * Marks that the tenant exceeded its plan this month, with an event, unless that is marked already. Whether it was
     * marked now.
     */
    readonly markExceeded: (id: OrganizationId) => Effect.Effect<boolean, ServiceUnavailableError>
    /** Newest first. */
    readonly list: Effect.Effect<ReadonlyArray<OrganizationSummary>, ServiceUnavailableError>
    /** With an event. Whether the organization existed. */
    readonly setPlan: (id: OrganizationId, plan: Plan) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
