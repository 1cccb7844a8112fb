import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Effect } from "effect"
import { sharedLookup } from "../SharedLookup.js"
import type { OrganizationRepo } from "./OrganizationRepo.js"

/** For how long a process knows that it was told. Also what the turn of a month may take to be seen. */
const remembered = "1 minute"

/**
 * Tells subscribers, once a month, that an organization exceeded its plan. It is called by every send that is refused
 * for that, whose answer it never changes: what fails is logged, and the next one tries again.
 */
export const usageExceeded = (repo: Context.Tag.Service<OrganizationRepo>) =>
  Effect.map(
    sharedLookup({
      capacity: 10_000,
      timeToLive: remembered,
      lookup: (organization: OrganizationId) => repo.markExceeded(organization)
    }),
    (told) => (organization: OrganizationId) =>
      Effect.catchAllCause(told.get(organization), (cause) =>
        Effect.logWarning("That a plan was exceeded could not be told", cause)
      )
  )
