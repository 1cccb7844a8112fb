import type { OrganizationId } from "@switchboard/domain/organizations/Organization"
import { type Context, Effect } from "effect"
import { sharedLookup } from "../SharedLookup.js"
import type { OrganizationRepo } from "./OrganizationRepo.js"

/** A process marks an organization at most once in this time. The mark of a new month is delayed by at most as long. */
const markInterval = "1 minute"

/**
 * Stores the event that an organization exceeded its plan, once a month. Called by every send rejected for that reason;
 * a failure is logged and does not change the response.
 */
export const usageExceeded = (repo: Context.Tag.Service<OrganizationRepo>) =>
  Effect.map(
    sharedLookup({
      capacity: 10_000,
      timeToLive: markInterval,
      lookup: (organization: OrganizationId) => repo.markExceeded(organization),
      idOf: (organization) => organization
    }),
    (marked) => (organization: OrganizationId) =>
      Effect.catchAllCause(marked.get(organization), (cause) =>
        Effect.logWarning("The event of an exceeded plan could not be stored", cause)
      )
  )
