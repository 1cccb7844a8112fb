import { RateLimitedError } from "@switchboard/domain/Errors"
import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Effect, HashMap, Option, Ref, type Scope } from "effect"

/** After how many seconds a refused caller may try again. */
const retryAfterSeconds = 5

/**
 * Bounds the long operations that an organization has under way in one process: each takes a place until its scope
 * closes. Fails if all places are taken.
 */
export const places = (
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
