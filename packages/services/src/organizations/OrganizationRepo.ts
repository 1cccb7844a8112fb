import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId, OrganizationSummary, Plan } from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"

/** Where tenants are kept. */
export class OrganizationRepo extends Context.Tag("services/OrganizationRepo")<
  OrganizationRepo,
  {
    /** The slug is unique: one that is taken is a conflict. */
    readonly insert: (organization: OrganizationSummary) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    readonly find: (id: OrganizationId) => Effect.Effect<Option.Option<OrganizationSummary>, ServiceUnavailableError>
    /** Newest first. */
    readonly list: Effect.Effect<ReadonlyArray<OrganizationSummary>, ServiceUnavailableError>
    /** Whether the organization existed. */
    readonly setPlan: (id: OrganizationId, plan: Plan) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
