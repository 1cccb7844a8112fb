import { Effect } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"
import { AnalyticsRepo } from "./AnalyticsRepo.js"

/** Merges the counts of single sends and deliveries. */
export const mergeCounts: Effect.Effect<ScheduledJob, never, AnalyticsRepo> = Effect.map(
  AnalyticsRepo,
  ({ mergeCounts }) => ({
    what: "Merging counts",
    every: "10 seconds",
    round: mergeCounts
  })
)
