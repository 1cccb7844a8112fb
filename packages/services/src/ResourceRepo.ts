import type { BadRequestError, ServiceUnavailableError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import type { Page, PageRequest } from "@switchboard/domain/Page"
import type { Effect, Option } from "effect"

/** Stores the resources of organizations. Every method is one transaction. */
export interface ResourceRepo<A, Id, Filters> {
  /** Stores a new resource. */
  readonly insert: (resource: A) => Effect.Effect<void, ServiceUnavailableError>
  /** A resource of the organization. */
  readonly find: (organization: OrganizationId, id: Id) => Effect.Effect<Option.Option<A>, ServiceUnavailableError>
  /** The organization's resources, newest first. */
  readonly list: (
    organization: OrganizationId,
    filters: Filters,
    page: PageRequest
  ) => Effect.Effect<Page<A>, BadRequestError | ServiceUnavailableError>
  /** Locks a resource and stores the result of `decide`. None if the organization has no such resource. */
  readonly change: <E>(
    organization: OrganizationId,
    id: Id,
    decide: (resource: A) => Effect.Effect<A, E>
  ) => Effect.Effect<Option.Option<A>, E | ServiceUnavailableError>
  /** Removes a resource and its links to others. Returns whether it existed. */
  readonly remove: (organization: OrganizationId, id: Id) => Effect.Effect<boolean, ServiceUnavailableError>
}
