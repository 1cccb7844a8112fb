import { Effect } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"
import { OrganizationRepo } from "./OrganizationRepo.js"

/** Merges the counts of participants and conversations. */
export const mergeOrganizationCounts: Effect.Effect<ScheduledJob, never, OrganizationRepo> = Effect.map(
  OrganizationRepo,
  ({ mergeCounts }) => ({ what: "Merging counts of organizations", every: "10 seconds", round: mergeCounts })
)
