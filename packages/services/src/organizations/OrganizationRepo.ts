import type { ConflictError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type {
  Organization,
  OrganizationId,
  OrganizationSummary,
  Plan,
  UpdateOrganization
} from "@switchboard/domain/organizations/Organization"
import { Context, type Effect, type Option } from "effect"
import type { StorableApiKey } from "../apiKeys/NewApiKey.js"
import type { VerifiedSender } from "../email/senders/SenderRepo.js"

/** Stores organizations. */
export class OrganizationRepo extends Context.Tag("services/OrganizationRepo")<
  OrganizationRepo,
  {
    /**
     * Stores an organization with its usage and its verified default sender in one transaction. Fails if the slug is in
     * use.
     */
    readonly insert: (
      organization: OrganizationSummary,
      sender: VerifiedSender
    ) => Effect.Effect<void, ConflictError | ServiceUnavailableError>
    /**
     * Stores the first organization with its API key, unless an organization exists. Returns whether it was stored; of
     * several concurrent processes only one succeeds. `show` runs before the commit, so that a key that was not shown
     * is never stored.
     */
    readonly insertFirst: <E, R>(
      organization: OrganizationSummary,
      sender: VerifiedSender,
      key: StorableApiKey,
      show: Effect.Effect<void, E, R>
    ) => Effect.Effect<boolean, ServiceUnavailableError | E, R>
    /** The summary of an organization, as operators read it. */
    readonly find: (id: OrganizationId) => Effect.Effect<Option.Option<OrganizationSummary>, ServiceUnavailableError>
    /** An organization as its own API keys read it, with its current usage. */
    readonly findWithUsage: (id: OrganizationId) => Effect.Effect<Option.Option<Organization>, ServiceUnavailableError>
    /**
     * Changes an organization and stores an event. Fails if the slug is in use. None if there is no such organization.
     */
    readonly update: (
      id: OrganizationId,
      change: UpdateOrganization
    ) => Effect.Effect<Option.Option<Organization>, ConflictError | ServiceUnavailableError>
    /**
     * Marks an organization as over its plan's limit this month and stores an event, unless it is marked already.
     * Returns whether it was marked now.
     */
    readonly markExceeded: (id: OrganizationId) => Effect.Effect<boolean, ServiceUnavailableError>
    /** All organizations, newest first. */
    readonly list: Effect.Effect<ReadonlyArray<OrganizationSummary>, ServiceUnavailableError>
    /** Changes the plan and stores an event. Returns whether the organization existed. */
    readonly setPlan: (id: OrganizationId, plan: Plan) => Effect.Effect<boolean, ServiceUnavailableError>
  }
>() {}
