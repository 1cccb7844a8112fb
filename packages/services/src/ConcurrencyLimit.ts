import { RateLimitedError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, HashMap, Option, Ref, type Scope } from "effect"

/** The delay before a rejected caller should retry. */
const retryAfterSeconds = 5

/**
 * Limits the long operations that an organization runs at the same time in one process. A slot is held until the scope
 * closes. Fails with RateLimitedError if all slots are in use.
 */
export const concurrencyLimit = (
  limit: number
): Effect.Effect<(organization: OrganizationId) => Effect.Effect<void, RateLimitedError, Scope.Scope>> =>
  Effect.map(Ref.make(HashMap.empty<OrganizationId, number>()), (taken) => {
    const change = (organization: OrganizationId, by: number) =>
      Ref.modify(taken, (counts) => {
        const count = Option.getOrElse(HashMap.get(counts, organization), () => 0) + by
        return [count, count === 0 ? HashMap.remove(counts, organization) : HashMap.set(counts, organization, count)]
      })
    return (organization) =>
      Effect.flatMap(
        Effect.acquireRelease(change(organization, 1), () => change(organization, -1)),
        (count) => (count > limit ? new RateLimitedError({ retryAfterSeconds }) : Effect.void)
      )
  })
