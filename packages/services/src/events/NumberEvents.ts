import { Effect } from "effect"
import type { ScheduledJob } from "../ScheduledJob.js"
import { EventRepo } from "./EventRepo.js"

/** Numbers events in the background, so that the first stream of an organization does not have to number all of them. */
export const numberEvents: Effect.Effect<ScheduledJob, never, EventRepo> = Effect.map(EventRepo, ({ number }) => ({
  what: "Numbering events",
  every: "10 seconds",
  round: number
}))
