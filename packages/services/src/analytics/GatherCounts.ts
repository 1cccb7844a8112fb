import { Effect } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"
import { AnalyticsRepo } from "./AnalyticsRepo.js"

/** Puts together what sends and deliveries counted, each by itself. */
export const gatherCounts: Effect.Effect<ScheduledJob, never, AnalyticsRepo> = Effect.map(
  AnalyticsRepo,
  ({ gather }) => ({
    what: "Gathering counts",
    every: "10 seconds",
    round: gather
  })
)
