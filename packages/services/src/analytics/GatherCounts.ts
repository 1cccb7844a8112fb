import { Effect } from "effect"
import type { Chore } from "../Chore.js"
import { AnalyticsRepo } from "./AnalyticsRepo.js"

/** Puts together what sends and deliveries counted, each by itself. */
export const gatherCounts: Effect.Effect<Chore, never, AnalyticsRepo> = Effect.map(AnalyticsRepo, ({ gather }) => ({
  what: "Gathering counts",
  every: "10 seconds",
  round: gather
}))
