import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { Cache, type Context, Duration, Effect, Exit } from "effect"
import type { OrganizationRepo } from "./OrganizationRepo.js"

/** For how long a process knows that it was told. Also what the turn of a month may take to be seen. */
const remembered = Duration.minutes(1)

/**
 * Tells subscribers, once a month, that an organization exceeded its plan. It is called by every send that is refused
 * for that, whose answer it never changes: what fails is logged, and the next one tries again.
 */
export const usageExceeded = (repo: Context.Tag.Service<OrganizationRepo>) =>
  Effect.map(
    Cache.makeWith({
      capacity: 10_000,
      timeToLive: (exit: Exit.Exit<boolean, unknown>) => (Exit.isSuccess(exit) ? remembered : Duration.zero),
      lookup: (organization: OrganizationId) => repo.markExceeded(organization)
    }),
    (told) => (organization: OrganizationId) =>
      Effect.catchAllCause(told.get(organization), (cause) =>
        Effect.logWarning("That a plan was exceeded could not be told", cause)
      )
  )
